import OnsideDomain
import OnsideProto
import OnsideServices
import OnsideStore
import RPC
import Testing

@Suite("What the store app lists for an account")
struct AccountPurchaseTests {
  private func list(
    _ fixture: MarketplaceFixture, _ number: String = MarketplaceFixture.phoneNumber
  ) async throws -> [AccountPurchase] {
    try await fixture.control().listAccountPurchases(
      ListAccountPurchasesRequest(phoneNumber: number)
    ).purchases
  }

  @Test("Its purchases in all apps, newest first; those of external profiles are absent")
  func lists() async throws {
    let fixture = try await MarketplaceFixture()
    let login = try await fixture.logIn(phone: MarketplaceFixture.phoneNumber, country: "DE")
    let session = CallOptions.session(login.sessionToken)
    let external = try await fixture.session()
    let products = try await fixture.products.listProducts(
      ListProductsRequest(productIdentifiers: ["coins"]), options: session)
    #expect(try await list(fixture) == [])
    func buy(
      _ session: CallOptions, key: String, token: String
    ) async throws -> OnsideProto.Transaction {
      var request = PurchaseFixture.request(key: key, token: token)
      request.storefrontID = try #require(products.storefront).id
      return try #require(
        try await fixture.payments.createPurchase(request, options: session).transaction)
    }
    let mine = try await buy(session, key: "a", token: "sandbox-paid")
    _ = try await buy(session, key: "b", token: "sandbox-declined")
    _ = try await buy(session, key: "c", token: "sandbox-needs-approval")
    _ = try await buy(external, key: "d", token: "sandbox-paid")
    fixture.clock.advance(by: .seconds(1))
    let id = try await fixture.profileID(of: session)
    let elsewhere = try fixture.intent("e", of: id, app: TestCatalogue.other)
    _ = try await fixture.store.beginPurchase(elsewhere)
    _ = try await fixture.store.recordOutcome(
      .paid, of: elsewhere.transactionID, profileID: id, at: fixture.clock.now)
    let purchases = try await list(fixture)
    #expect(purchases.map(\.appID) == [TestCatalogue.other, TestCatalogue.shop])
    #expect(purchases.last?.transaction == mine)
  }

  @Test("A number without an account is not found; what is no number is refused")
  func refuses() async throws {
    let fixture = try await MarketplaceFixture()
    for (number, reason) in [
      ("+4915199999999", RefusalReason.sandboxNotFound), ("x", .phoneNumberInvalid),
    ] {
      do {
        _ = try await list(fixture, number)
        Issue.record("answered for \(number)")
      } catch let error as RPCError {
        #expect(error.refusalReason == reason)
      }
    }
  }
}
