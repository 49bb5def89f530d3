import OnsideDomain
import OnsideStore
import Synchronization
import Testing

@testable import OnsideServices

/// A wall clock that stands still until it is moved.
final class ManualClock: Sendable {
  private let time: Mutex<Int64>

  init(_ milliseconds: Int64 = 1_772_000_000_000) {
    time = Mutex(milliseconds)
  }

  var now: Timestamp { Timestamp(milliseconds: time.withLock { $0 }) }

  func advance(_ milliseconds: Int64) { time.withLock { $0 += milliseconds } }

  /// A moment from now.
  func later(_ milliseconds: Int64) -> Timestamp {
    Timestamp(milliseconds: now.milliseconds + milliseconds)
  }
}

/// A server's sessions over a store in memory.
struct SessionBench {
  let clock: ManualClock
  let store: any Store
  let authority: SessionAuthority
  let sealer: TokenSealer

  init(
    store: any Store = MemoryStore(), policy: TokenPolicy = TokenPolicy(),
    clock: ManualClock = ManualClock()
  ) async throws {
    self.clock = clock
    self.store = store
    authority = SessionAuthority(store: store, policy: policy) { clock.now }
    try await authority.start()
    sealer = TokenSealer(keyring: authority.keyring, revocations: authority.revocations)
  }

  func claims(
    lifetime: Int64 = 60_000, storefront: String = "store-de", country: String = "DE",
    kind: ProfileKind = .external, session: SessionID = .random()
  ) throws -> SessionClaims {
    SessionClaims(
      sessionID: session, profileID: ProfileID.random(), app: AppTag(appID: "com.example.shop"),
      profileKind: kind,
      storefront: Storefront(
        id: storefront, country: try #require(CountryCode(alpha2: country))),
      expiresAt: clock.later(lifetime))
  }

  func seal(_ claims: SessionClaims) throws -> String { try sealer.seal(claims, now: clock.now) }

  func open(_ token: String) throws -> SessionClaims { try sealer.open(token, now: clock.now) }
}
