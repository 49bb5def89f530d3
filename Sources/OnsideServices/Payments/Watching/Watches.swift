import OnsideDomain
import OnsideStore
import RPC
import Synchronization

/// The watching calls of a server: each is woken by the store's hub, and ended with its session or
/// with the server.
final class Watches: Sendable {
  private struct State {
    /// By session, so that the end of one costs nothing to the others.
    var watches: [SessionID: [ObjectIdentifier: Entry]] = [:]
    var count = 0

    /// No session of a watch expires before it; on the wall clock.
    var nextExpiry = Timestamp(milliseconds: .max)
    var isDraining = false

    var all: [Watch] { watches.values.flatMap { $0.values.map(\.watch) } }
  }

  private struct Entry {
    let watch: Watch
    let subscription: ProfileEventHub.Subscription
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
  var count: Int { state.withLock { $0.count } }

  /// Begins a watch; `end` has to follow. Events from now on wake it.
  ///
  /// - Throws: When the session ended meanwhile, or the server is stopping.
  func begin(_ claims: SessionClaims) throws(RPCError) -> Watch {
    let watch = Watch(claims)
    let subscription = store.eventHub.subscribe(to: claims.profileID) { [weak watch] in
      watch?.wake()
    }
    let isDraining = state.withLock { state in
      state.watches[claims.sessionID, default: [:]][ObjectIdentifier(watch)] = Entry(
        watch: watch, subscription: subscription)
      state.count += 1
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
    let session = watch.claims.sessionID
    let found = state.withLock { state in
      let found = state.watches[session]?.removeValue(forKey: ObjectIdentifier(watch))
      if found != nil { state.count -= 1 }
      if state.watches[session]?.isEmpty == true { state.watches[session] = nil }
      return found
    }
    if let found { store.eventHub.cancel(found.subscription) }
  }

  /// Ends the watches of a session that was ended here.
  func end(_ session: SessionID) {
    let ended = state.withLock { $0.watches[session]?.values.map(\.watch) ?? [] }
    for watch in ended { watch.end(.sessionEnded) }
  }

  /// Ends the watches of sessions that have expired, to be called every second: until the first one
  /// does, that costs one comparison.
  ///
  /// - Parameter othersEnded: Other servers may have ended sessions: all are looked at.
  func endWithSessions(othersEnded: Bool = false) {
    let now = clock.wall()
    let all = state.withLock { state -> [Watch] in
      guard othersEnded || state.nextExpiry <= now else { return [] }
      let watches = state.all
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
      return state.all
    }
    for watch in all { watch.end(.draining) }
  }

  private func end(of claims: SessionClaims) -> Watch.End? {
    if revocations.contains(claims.sessionID) { return .sessionEnded }
    return claims.expiresAt <= clock.wall() ? .sessionExpired : nil
  }
}
