import OnsideDomain
import OnsideProto
import OnsideServices
import OnsideStore
import RPC
import Testing

@Suite("Purchases that wait for approval")
struct DeferredPurchaseTests {
  /// A marketplace whose caller is an administrator.
  private func fixture() async throws -> MarketplaceFixture {
    let certificate = PeerInfo.Certificate(
      subject: "CN=admin", alternativeNames: [], fingerprint: [UInt8](repeating: 7, count: 32))
    return try await MarketplaceFixture(
      peer: PeerInfo(address: "192.0.2.1:40000", certificate: certificate)
    ) { configuration in
      let isAdded = configuration.administrators.add("CN=admin")
      precondition(isAdded)
    }
  }

  private func sandbox(_ fixture: MarketplaceFixture) -> SandboxServiceClient {
    SandboxServiceClient(fixture.transport)
  }

  private func buy(
    _ fixture: MarketplaceFixture, _ session: CallOptions, key: String = "key-1"
  ) async throws(RPCError) -> CreatePurchaseResponse {
    try await fixture.payments.createPurchase(
      PurchaseFixture.request(key: key, token: "sandbox-needs-approval"), options: session)
  }

  private func waiting(
    _ fixture: MarketplaceFixture, app: String = ""
  ) async throws(RPCError) -> [DeferredPurchase] {
    try await sandbox(fixture).listDeferredPurchases(
      ListDeferredPurchasesRequest(appID: app)
    ).purchases
  }

  private func decide(
    _ fixture: MarketplaceFixture, _ id: String, approve: Bool
  ) async throws(RPCError) -> OnsideProto.Transaction? {
    try await sandbox(fixture).decideDeferredPurchase(
      DecideDeferredPurchaseRequest(transactionID: id, approve: approve)
    ).transaction
  }

  @Test("They are listed with their profiles, oldest first, until they are decided")
  func lists() async throws {
    let fixture = try await fixture()
    let session = try await fixture.session()
    let one = try #require(try await buy(fixture, session).transaction)
    fixture.clock.advance(by: .seconds(1))
    let two = try #require(try await buy(fixture, session, key: "key-2").transaction)
    let listed = try await waiting(fixture)
    #expect(listed.map(\.transaction) == [one, two])
    #expect(listed.first?.appID == TestCatalogue.shop)
    #expect(listed.first?.profileID == (try await fixture.profileID(of: session)).description)
    #expect(try await waiting(fixture, app: TestCatalogue.other) == [])
    #expect(try await waiting(fixture, app: TestCatalogue.shop) == listed)
    _ = try await decide(fixture, one.transactionID, approve: true)
    #expect(try await waiting(fixture).map(\.transaction) == [two])
  }

  @Test(
    "The first decision counts: again is the same, the other way is refused",
    arguments: [true, false])
  func decides(approve: Bool) async throws {
    let fixture = try await fixture()
    let session = try await fixture.session()
    let deferred = try #require(try await buy(fixture, session).transaction)
    fixture.clock.advance(by: .seconds(1))
    let decided = try await decide(fixture, deferred.transactionID, approve: approve)
    #expect(decided?.state == (approve ? .purchased : .failed))
    #expect(decided?.failureReason == (approve ? .unspecified : .declined))
    #expect(decided?.updatedAtMs == deferred.createdAtMs + 1_000)
    fixture.clock.advance(by: .seconds(1))
    #expect(try await decide(fixture, deferred.transactionID, approve: approve) == decided)
    let error = try await failure { () throws(RPCError) in
      try await decide(fixture, deferred.transactionID, approve: !approve)
    }
    #expect(error.code == .notFound)
    #expect(error.refusalReason == .sandboxNotFound)
    // Who asked before is told the outcome when asking again.
    let again = try await buy(fixture, session)
    #expect(again.replayed && again.transaction == decided)
  }

  @Test("What never waited isn't decided")
  func refuses() async throws {
    let fixture = try await fixture()
    let session = try await fixture.session()
    let bought = try await fixture.payments.createPurchase(
      PurchaseFixture.request(), options: session)
    let id = try #require(bought.transaction).transactionID
    for id in [id, TransactionID.random().description, "nonsense", ""] {
      let error = try await failure { () throws(RPCError) in
        try await decide(fixture, id, approve: true)
      }
      #expect(error.code == .notFound)
      #expect(error.refusalReason == .sandboxNotFound)
    }
  }

  @Test("B38: the watchers of a purchase are told how it was decided")
  func tells() async throws {
    let fixture = try await fixture()
    let session = try await fixture.session()
    let deferred = try #require(try await buy(fixture, session).transaction)
    var answers = fixture.payments.watchTransactions(
      WatchTransactionsRequest(), options: session
    ).makeAsyncIterator()
    #expect(try await answers.next()?.event == nil)
    let decided = try #require(try await decide(fixture, deferred.transactionID, approve: true))
    #expect(try await answers.next()?.event == .transaction(decided))
  }
}
