import OnsideDomain
import OnsideStore
import Synchronization

/// Signs histories with the store's newest key, and knows all public keys.
final class HistorySigner: Sendable {
  /// How long one key signs, in milliseconds: a year.
  static let keyLifetime: Int64 = 365 * 24 * 60 * 60 * 1_000

  private struct State {
    var records: [SigningKeyRecord] = []
    var key: SigningKey?
  }

  private let state = Mutex(State())
  private let store: any Store
  private let clock: ServiceClock

  /// What signed documents name as their issuer.
  let issuer: String

  init(store: any Store, clock: ServiceClock, issuer: String) {
    self.store = store
    self.clock = clock
    self.issuer = issuer
  }

  /// Loads the keys, and makes one if there is none, or none that is younger than a year. To be
  /// done before listening and every day or more often.
  func maintain() async throws(StoreError) {
    try await load()
    let oldest = clock.wall().milliseconds - Self.keyLifetime
    let newest = state.withLock { $0.records.last }
    if let newest, newest.createdAt.milliseconds > oldest { return }
    guard let made = SigningKey.make(number: (newest?.number ?? 0) + 1, at: clock.wall()) else {
      throw StoreError(.requestFailed, "OpenSSL can't make a key for signed histories")
    }
    // If another server was faster, its key is as good.
    _ = try await store.addSigningKey(made)
    try await load()
  }

  private func load() async throws(StoreError) {
    let records = try await store.signingKeys()
    let isKnown = state.withLock { $0.records == records }
    guard !isKnown else { return }
    guard let newest = records.last else { return }
    guard let key = SigningKey(newest) else {
      throw StoreError(
        .requestFailed,
        "the store's \(newest) for signed histories can't be used: it is damaged, or of a newer "
          + "release")
    }
    state.withLock { $0 = State(records: records, key: key) }
  }

  /// A compact JWS of a document; nil if it can't be signed.
  func sign(_ document: HistoryDocument) -> String? {
    state.withLock { $0.key }?.sign(document.json)
  }

  /// All public keys, newest first, as a JWK Set (RFC 7517).
  var keySet: String {
    let records = state.withLock { $0.records }
    let keys = records.reversed().compactMap { PublicKeyParameters($0.publicPoint)?.json }
    return JSONText.object(["keys": JSONText.array(keys)])
  }
}
