import OnsideDomain
import OnsideStore
import Testing

@testable import OnsideServices

@Suite("Keys and revocations of sessions")
struct SessionAuthorityTests {
  private var policy: TokenPolicy {
    var policy = TokenPolicy(tokenLifetime: 10_000)
    policy.rotationPeriod = 5_000
    policy.leadTime = 1_000
    return policy
  }

  @Test("The first key is in the store before it is used")
  func storesFirstKey() async throws {
    let bench = try await SessionBench(policy: policy)
    let stored = try await bench.store.tokenKeys()
    #expect(stored.count == 1 && stored == bench.authority.keyring.all)
    #expect(stored.first?.secret.count == 32)
    #expect(Set(stored.first?.secret ?? []).count > 8)
  }

  @Test("Without a key in the store nothing is sealed")
  func needsStoredKey() async throws {
    let store = MemoryStore()
    await store.close()
    await #expect(throws: StoreError.self) {
      _ = try await SessionBench(store: store, policy: policy)
    }
    let sealer = TokenSealer(keyring: TokenKeyring(), revocations: RevocationSet())
    let clock = ManualClock()
    let bench = try await SessionBench()
    let claims = try bench.claims()
    #expect(throws: TokenSealingError.noKey) { try sealer.seal(claims, now: clock.now) }
  }

  @Test("Sessions survive a restart")
  func survivesRestart() async throws {
    let bench = try await SessionBench(policy: policy)
    let claims = try bench.claims(lifetime: 10_000)
    let token = try bench.seal(claims)
    let again = try await SessionBench(store: bench.store, policy: policy, clock: bench.clock)
    #expect(try again.open(token) == claims)
    #expect(try await bench.store.tokenKeys().count == 1)
  }

  @Test("A key is followed by the next; each opens until its last token has expired")
  func rotates() async throws {
    let bench = try await SessionBench(policy: policy)
    var tokens: [String] = []
    var counts: [Int] = []
    for _ in 0..<40 {
      tokens.append(try bench.seal(try bench.claims(lifetime: 10_000)))
      // Every token of the last ten seconds is good; the others have expired.
      for (age, token) in tokens.reversed().enumerated() {
        let refusal: RefusalReason?
        do {
          _ = try bench.open(token)
          refusal = nil
        } catch {
          refusal = error as? RefusalReason
        }
        // Long after its expiry a token may be invalid only, since its key is gone.
        if age < 10 { #expect(refusal == nil, "\(age)") }
        if age >= 10 && age < 15 { #expect(refusal == .sessionExpired, "\(age)") }
        if age >= 15 { #expect(refusal != nil, "\(age)") }
      }
      bench.clock.advance(1_000)
      try await bench.authority.maintain()
      counts.append(bench.authority.keyring.all.count)
      #expect(try await bench.store.tokenKeys().count == bench.authority.keyring.all.count)
    }
    // Ids rise, and the number of keys is bounded: those of the last 20 seconds and the next.
    #expect(bench.authority.keyring.all.map(\.id).max() == 9)
    #expect(counts.max() == 5)
  }

  @Test("The next key is stored before it is its turn, and not used earlier")
  func storesNextKeyEarly() async throws {
    let bench = try await SessionBench(policy: policy)
    bench.clock.advance(4_000)
    try await bench.authority.maintain()
    let keys = bench.authority.keyring.all
    #expect(keys.map(\.id) == [2, 1])
    #expect(keys[0].sealsFrom == keys[1].sealsUntil)
    // A server that hasn't heard of the new key opens what is sealed now.
    let old = TokenKeyring()
    old.replace(with: [keys[1]])
    let stale = TokenSealer(keyring: old, revocations: RevocationSet())
    let token = try bench.seal(try bench.claims(lifetime: 10_000))
    #expect(throws: Never.self) { try stale.open(token, now: bench.clock.now) }
    bench.clock.advance(1_000)
    let next = try bench.seal(try bench.claims(lifetime: 10_000))
    #expect(throws: RefusalReason.sessionInvalid) { try stale.open(next, now: bench.clock.now) }
  }

  @Test("A token whose key was retired is invalid")
  func refusesRetiredKey() async throws {
    let bench = try await SessionBench(policy: policy)
    let token = try bench.seal(try bench.claims(lifetime: 20_000))
    bench.clock.advance(19_999)
    #expect(throws: Never.self) { try bench.open(token) }
    bench.clock.advance(1)
    #expect(throws: RefusalReason.sessionInvalid) { try bench.open(token) }
    bench.clock.advance(1)
    try await bench.authority.maintain()
    #expect(bench.authority.keyring.all.map(\.id) == [2])
    #expect(throws: RefusalReason.sessionInvalid) { try bench.open(token) }
  }

  @Test("A key can't seal a token that outlives it; a longer lifetime makes a new key")
  func boundsTokens() async throws {
    let bench = try await SessionBench(policy: policy)
    let long = try bench.claims(lifetime: 20_001)
    #expect(throws: TokenSealingError.noKey) { try bench.seal(long) }
    let longer = try await SessionBench(
      store: bench.store, policy: TokenPolicy(tokenLifetime: 60_000), clock: bench.clock)
    #expect(try longer.open(try longer.seal(long)) == long)
    #expect(try await bench.store.tokenKeys().count == 2)
  }

  @Test("While the store takes no new key, the old one goes on for a rotation period")
  func bridgesFailure() async throws {
    let bench = try await SessionBench(policy: policy)
    bench.clock.advance(4_500)
    await bench.store.close()
    await #expect(throws: StoreError.self) { try await bench.authority.maintain() }
    bench.clock.advance(5_000)
    let token = try bench.seal(try bench.claims(lifetime: 10_000))
    bench.clock.advance(501)
    let claims = try bench.claims(lifetime: 10_000)
    #expect(throws: TokenSealingError.noKey) { try bench.seal(claims) }
    bench.clock.advance(9_498)
    #expect(throws: Never.self) { try bench.open(token) }
  }

  @Test("An ended session is refused at once and after a restart; others live on")
  func endsSessions() async throws {
    let bench = try await SessionBench()
    let claims = try bench.claims()
    let token = try bench.seal(claims)
    let other = try bench.seal(try bench.claims())
    try await bench.authority.end(claims)
    try await bench.authority.end(claims)
    let again = try await SessionBench(store: bench.store, clock: bench.clock)
    for bench in [bench, again] {
      #expect(throws: RefusalReason.sessionEnded) { try bench.open(token) }
      #expect(throws: Never.self) { try bench.open(other) }
      #expect(bench.authority.revocations.count == 1)
    }
    bench.clock.advance(60_000)
    #expect(throws: RefusalReason.sessionExpired) { try bench.open(token) }
  }

  @Test("A session whose end couldn't be stored isn't reported as ended")
  func reportsFailedEnd() async throws {
    let bench = try await SessionBench()
    let claims = try bench.claims()
    let token = try bench.seal(claims)
    await bench.store.close()
    await #expect(throws: StoreError.self) { try await bench.authority.end(claims) }
    #expect(throws: Never.self) { try bench.open(token) }
  }

  @Test("A revocation reaches another server of the same store")
  func reachesOtherServers() async throws {
    let one = try await SessionBench()
    let two = try await SessionBench(store: one.store, clock: one.clock)
    let claims = try one.claims()
    let token = try one.seal(claims)
    for round in 0..<3 {
      try await one.authority.end(try one.claims())
      try await two.authority.refresh()
      #expect(two.authority.revocations.count == round + 1)
    }
    try await one.authority.end(claims)
    #expect(throws: Never.self) { try two.open(token) }
    try await two.authority.refresh()
    #expect(throws: RefusalReason.sessionEnded) { try two.open(token) }
  }

  @Test("Two servers that start at once agree about their keys")
  func agreesOnKeys() async throws {
    let store = MemoryStore()
    let clock = ManualClock()
    async let first = SessionBench(store: store, clock: clock)
    async let second = SessionBench(store: store, clock: clock)
    let (one, two) = (try await first, try await second)
    try await one.authority.refresh()
    try await two.authority.refresh()
    for (sealing, opening) in [(one, two), (two, one)] {
      let token = try sealing.seal(try sealing.claims())
      #expect(throws: Never.self) { try opening.open(token) }
    }
  }

  @Test("Expired revocations are forgotten, in memory and in the store, and not loaded")
  func forgetsExpired() async throws {
    let bench = try await SessionBench()
    for lifetime: Int64 in [1_000, 2_000, 90_000] {
      try await bench.authority.end(try bench.claims(lifetime: lifetime))
    }
    bench.clock.advance(2_001)
    let again = try await SessionBench(store: bench.store, clock: bench.clock)
    #expect(again.authority.revocations.count == 1)
    try await bench.authority.maintain()
    #expect(bench.authority.revocations.count == 1)
    #expect(try await bench.store.revocations(after: nil).revocations.count == 1)
  }
}
