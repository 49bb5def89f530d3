import COpenSSL
import OnsideDomain
import OnsideStore
import Synchronization

/// What a server knows about sessions: the keys of their tokens, and which were ended early.
///
/// Both come from the store before the server listens. Whatever changes is durable before it
/// counts.
public final class SessionAuthority: Sendable {
  public let policy: TokenPolicy
  public let keyring = TokenKeyring()
  public let revocations = RevocationSet()

  private let store: any Store
  private let clock: @Sendable () -> Timestamp
  private let position = Mutex<RevocationPosition?>(nil)

  /// `clock` is the wall clock; it is asked for expiries only.
  public init(
    store: any Store, policy: TokenPolicy = TokenPolicy(),
    clock: @escaping @Sendable () -> Timestamp
  ) {
    self.store = store
    self.policy = policy
    self.clock = clock
  }

  /// Loads keys and revocations, and makes a key if none can seal. To be done before listening.
  public func start() async throws(StoreError) {
    try await refresh()
    try await makeKeys()
  }

  /// Sealers for the loops 0 to `loops` − 1.
  public func makeSealers(loops: Int) -> TokenSealers {
    TokenSealers(loops: loops, keyring: keyring, revocations: revocations)
  }

  /// Ends a session: from the completion on its token is refused, also after a restart.
  public func end(
    _ claims: SessionClaims, options: RequestOptions = RequestOptions(),
    completion: @escaping StoreCompletion<Void>
  ) {
    let revocation = Revocation(
      sessionID: claims.sessionID, profileID: claims.profileID, expiresAt: claims.expiresAt)
    store.addRevocation(revocation, options: options) { [revocations] result in
      if case .success = result {
        revocations.insert(revocation.sessionID, expiresAt: revocation.expiresAt)
      }
      completion(result)
    }
  }

  /// Ends a session: from the return on its token is refused, also after a restart.
  public func end(
    _ claims: SessionClaims, options: RequestOptions = RequestOptions()
  ) async throws(StoreError) {
    let result: Result<Void, StoreError> = await withCheckedContinuation { continuation in
      end(claims, options: options) { continuation.resume(returning: $0) }
    }
    try result.get()
  }

  /// Takes over what other servers with the same store have added. Where a store is shared, to be
  /// done twice a second: a revocation holds everywhere within a second.
  public func refresh() async throws(StoreError) {
    keyring.replace(with: try await store.tokenKeys())
    var page: RevocationPage
    let now = clock()
    repeat {
      page = try await store.revocations(after: position.withLock { $0 })
      for revocation in page.revocations where revocation.expiresAt > now {
        revocations.insert(revocation.sessionID, expiresAt: revocation.expiresAt)
      }
      position.withLock { [page] in $0 = page.position }
    } while page.hasMore
  }

  /// The storefronts that were set since a time.
  func storefrontChanges(since time: Timestamp) async throws(StoreError) -> [StorefrontChange] {
    try await store.storefrontChanges(since: time)
  }

  /// Makes the next key when it is time, and forgets keys and revocations that are of no use any
  /// more. To be done every minute.
  public func maintain() async throws(StoreError) {
    try await makeKeys()
    let now = clock()
    if try await store.removeTokenKeys(opensUntilBefore: now) > 0 {
      keyring.replace(with: try await store.tokenKeys())
    }
    revocations.purge(expiredBefore: now)
    let limit = 1_000
    while try await store.purgeRevocations(expiredBefore: now, limit: limit) == limit {}
  }

  /// Stores a key for now if there is none, and the next one shortly before it is its turn.
  private func makeKeys() async throws(StoreError) {
    let now = clock()
    let keys = keyring.all
    let expiry = Timestamp(milliseconds: now.milliseconds + policy.tokenLifetime)
    let current = keys.first { $0.seals(at: now, until: expiry) && now < $0.sealsUntil }
    let next = keys.first { $0.sealsFrom > now }
    guard let current else {
      try await addKey(from: now)
      return
    }
    let isDue = current.sealsUntil.milliseconds - now.milliseconds <= policy.leadTime
    if isDue && next == nil { try await addKey(from: current.sealsUntil) }
  }

  private func addKey(from start: Timestamp) async throws(StoreError) {
    // Another server may take the number first; then its key is as good, or the next number free.
    for _ in 0..<16 {
      let last = try await store.tokenKeys().map(\.id).max() ?? 0
      guard let secret = Self.makeSecret() else {
        throw StoreError(
          .requestFailed, "OpenSSL has no random bytes for a key: restart the server")
      }
      let isAdded = try await store.addTokenKey(
        policy.key(id: last &+ 1, secret: secret, from: start))
      keyring.replace(with: try await store.tokenKeys())
      if isAdded { return }
    }
    throw StoreError(.requestFailed, "other servers take every number for a new token key")
  }

  private static func makeSecret() -> [UInt8]? {
    var secret = [UInt8](repeating: 0, count: Int(COPENSSL_GCM_KEY))
    return copenssl_random(&secret, Int32(secret.count)) ? secret : nil
  }
}
