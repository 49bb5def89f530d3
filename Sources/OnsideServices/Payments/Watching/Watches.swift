import OnsideDomain
import OnsideStore
import RPC
import Synchronization

/// The watching calls of a server: each is woken by the store's hub, and ended with its session or
/// with the server.
final class Watches: Sendable {
  private struct State {
    var watches: [ObjectIdentifier: (watch: Watch, subscription: ProfileEventHub.Subscription)] =
      [:]

    /// No session of a watch expires before it; on the wall clock.
    var nextExpiry = Timestamp(milliseconds: .max)
    var isDraining = false
  }

  private let state = Mutex(State())
  private let store: any Store
  private let revocations: RevocationSet
  private let clock: ServiceClock

  init(store: any Store, revocations: RevocationSet, clock: ServiceClock) {
    self.store = store
    self.revocations = revocations
    self.clock = clock
  }

  /// How many watches there are.
  var count: Int { state.withLock { $0.watches.count } }

  /// Begins a watch; `end` has to follow. Events from now on wake it.
  ///
  /// - Throws: When the session ended meanwhile, or the server is stopping.
  func begin(_ claims: SessionClaims) throws(RPCError) -> Watch {
    let watch = Watch(claims)
    let subscription = store.eventHub.subscribe(to: claims.profileID) { [weak watch] in
      watch?.wake()
    }
    let isDraining = state.withLock { state in
      state.watches[ObjectIdentifier(watch)] = (watch, subscription)
      state.nextExpiry = min(state.nextExpiry, claims.expiresAt)
      return state.isDraining
    }
    // After it can be found: whatever ends from now on ends this one too.
    if let end = isDraining ? .draining : end(of: claims) {
      self.end(watch)
      throw end.error
    }
    return watch
  }

  /// Forgets a watch whose call is over.
  func end(_ watch: Watch) {
    let found = state.withLock { $0.watches.removeValue(forKey: ObjectIdentifier(watch)) }
    if let found { store.eventHub.cancel(found.subscription) }
  }

  /// Ends the watches of sessions that have ended or expired. To be called after a session was
  /// ended, and every second: until the first session expires, that costs one comparison.
  func endWithSessions(afterRevocation: Bool) {
    let now = clock.wall()
    let all = state.withLock { state -> [Watch] in
      guard afterRevocation || state.nextExpiry <= now else { return [] }
      let watches = state.watches.values.map(\.watch)
      state.nextExpiry =
        watches.lazy.map(\.claims.expiresAt).filter { $0 > now }.min()
        ?? Timestamp(milliseconds: .max)
      return watches
    }
    for watch in all {
      if let end = end(of: watch.claims) { watch.end(end) }
    }
  }

  /// Ends all watches, and refuses new ones: the server is stopping.
  func drain() {
    let all = state.withLock { state in
      state.isDraining = true
      return state.watches.values.map(\.watch)
    }
    for watch in all { watch.end(.draining) }
  }

  private func end(of claims: SessionClaims) -> Watch.End? {
    if revocations.contains(claims.sessionID) { return .sessionEnded }
    return claims.expiresAt <= clock.wall() ? .sessionExpired : nil
  }
}
