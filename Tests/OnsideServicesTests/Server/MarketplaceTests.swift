import OnsideDomain
import OnsideProto
import OnsideStore
import RPC
import Testing

@testable import OnsideServices

@Suite("The marketplace from start to start")
struct MarketplaceTests {
  /// Runs `body` with a marketplace over the SQLite file of a folder, and closes the store.
  private func run<Value>(
    in folder: TemporaryFolder, clock: TestClock = TestClock(),
    processor: any PaymentProcessor = SandboxProcessor(),
    _ body: (MarketplaceFixture) async throws -> Value
  ) async throws -> Value {
    let store = try SQLiteStore(path: "\(folder.path)/store")
    do {
      let fixture = try await MarketplaceFixture(store: store, clock: clock) {
        $0.processor = processor
      }
      let value = try await body(fixture)
      await store.close()
      return value
    } catch {
      await store.close()
      throw error
    }
  }

  private func profile(
    _ fixture: MarketplaceFixture, _ token: String
  ) async throws(RPCError) -> OnsideProto.Profile? {
    try await fixture.login.getProfile(GetProfileRequest(), options: .session(token)).profile
  }

  @Test("C41: after a restart sessions work, ended ones stay ended, and profiles are found")
  func sessionsSurvive() async throws {
    let folder = try TemporaryFolder()
    let (live, ended) = try await run(in: folder) { fixture in
      let answers = (try await fixture.logIn(), try await fixture.logIn())
      _ = try await fixture.login.endSession(
        EndSessionRequest(), options: .session(answers.1.sessionToken))
      return answers
    }
    try await run(in: folder) { fixture in
      #expect(try await profile(fixture, live.sessionToken)?.profileID == live.profileID)
      let error = try await failure { () throws(RPCError) in
        try await profile(fixture, ended.sessionToken)
      }
      #expect(error.refusalReason == .sessionEnded)
      let again = try await fixture.logIn()
      #expect(!again.created)
      #expect(again.profileID == live.profileID)
      // Ending it once more is answered from memory.
      _ = try await fixture.login.endSession(
        EndSessionRequest(), options: .session(ended.sessionToken))
    }
  }

  @Test("Purchases that were left without an outcome get one at the start, with the same key")
  func resolvesAtStart() async throws {
    let folder = try TemporaryFolder()
    let processor = TestProcessor()
    let (token, keys) = try await run(in: folder, processor: processor) { fixture in
      let token = try await fixture.logIn().sessionToken
      for index in 0..<3 {
        fixture.clock.advance(by: .seconds(1))
        async let error = failure { () throws(RPCError) in
          try await fixture.payments.createPurchase(
            PurchaseFixture.request(key: "key-\(index)"), options: .session(token))
        }
        await processor.waitForRequests(index + 1)
        processor.answer(.down)
        #expect(try await error.refusalReason == .processorUnavailable)
      }
      return (token, processor.requests.map(\.key))
    }
    // The clock of the second start is behind the purchases: they are resolved all the same.
    let sandbox = SandboxProcessor()
    try await run(in: folder, processor: sandbox) { fixture in
      let listed = try await fixture.payments.listTransactions(
        ListTransactionsRequest(), options: .session(token)
      ).transactions
      #expect(listed.map(\.state) == [.purchased, .purchased, .purchased])
      #expect(listed.map(\.transactionID) == keys)
      #expect(sandbox.counters == .init(requests: 3, charges: 3, unavailable: 0))
      #expect(fixture.log.lines.contains("resolved=3"))
      // The client that never got its answer asks again, and gets the same purchase.
      let retry = try await fixture.payments.createPurchase(
        PurchaseFixture.request(key: "key-1"), options: .session(token))
      #expect(retry.replayed)
      #expect(retry.transaction?.transactionID == keys[1])
      #expect(sandbox.counters.charges == 3)
    }
  }

  @Test("A processor that stays down doesn't keep the server from starting; the duty asks again")
  func processorStaysDown() async throws {
    let folder = try TemporaryFolder()
    let clock = TestClock()
    let token = try await run(in: folder, clock: clock) { fixture in
      let token = try await fixture.logIn().sessionToken
      for (key, payment) in [("a", "sandbox-unavailable"), ("b", "sandbox-reply-lost")] {
        _ = try await failure { () throws(RPCError) in
          try await fixture.payments.createPurchase(
            PurchaseFixture.request(key: key, token: payment), options: .session(token))
        }
      }
      return token
    }
    let sandbox = SandboxProcessor()
    try await run(in: folder, clock: clock, processor: sandbox) { fixture in
      #expect(fixture.log.lines.contains("resolved=1 left=1"))
      // One attempt for the payment that was made anew here, three and none too few for the other.
      #expect(sandbox.counters == .init(requests: 5, charges: 1, unavailable: 4))
      await fixture.marketplace.resolveLeftPurchases()
      #expect(sandbox.counters.requests == 5)
      clock.advance(by: .seconds(61))
      await fixture.marketplace.resolveLeftPurchases()
      #expect(sandbox.counters.requests == 6)
      let listed = try await fixture.payments.listTransactions(
        ListTransactionsRequest(), options: .session(token)
      ).transactions
      #expect(Set(listed.map(\.state)) == [.purchasing, .purchased])
    }
  }

  @Test("An idempotency key is kept for 30 days and then forgotten; the purchase stays")
  func purgesKeys() async throws {
    let clock = TestClock()
    let fixture = try await MarketplaceFixture(clock: clock) {
      $0.sessionLifetime = .seconds(90 * 86_400)
    }
    let session = try await fixture.session()
    let request = PurchaseFixture.request()
    let first = try await fixture.payments.createPurchase(request, options: session)
    clock.advance(by: .seconds(30 * 86_400))
    await fixture.marketplace.purge()
    #expect(try await fixture.payments.createPurchase(request, options: session).replayed)
    clock.advance(by: .milliseconds(1))
    await fixture.marketplace.purge()
    let second = try await fixture.payments.createPurchase(request, options: session)
    #expect(!second.replayed)
    #expect(second.transaction?.transactionID != first.transaction?.transactionID)
    let listed = try await fixture.payments.listTransactions(
      ListTransactionsRequest(), options: session)
    #expect(listed.transactions.count == 2)
  }

  @Test("A store that fails is told as such, without its own words")
  func storeErrors() {
    for (code, expected, reason) in [
      (StoreError.Code.overloaded, StatusCode.resourceExhausted, RefusalReason.storeOverloaded),
      (.busy, .resourceExhausted, .storeOverloaded), (.failed, .unavailable, .storeFailed),
      (.closed, .unavailable, .storeFailed), (.deadlineExceeded, .deadlineExceeded, nil),
      (.requestFailed, .internal, nil), (.damaged, .internal, nil),
    ] as [(StoreError.Code, StatusCode, RefusalReason?)] {
      let error = RPCError(StoreError(code, "/var/lib/secret.sqlite broke", cause: "EIO"))
      #expect(error.code == expected)
      #expect(error.refusalReason == reason)
      #expect(!error.message.contains("secret"))
      #expect((error.cause as? StoreError)?.code == code)
    }
  }
}
