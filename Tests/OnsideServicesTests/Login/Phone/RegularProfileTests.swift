import OnsideDomain
import OnsideProto
import OnsideServices
import OnsideStore
import RPC
import Testing

@Suite("What a regular profile may do")
struct RegularProfileTests {
  private func request(
    _ product: String, cents: Int64, key: String = "key-1"
  ) -> CreatePurchaseRequest {
    CreatePurchaseRequest(
      idempotencyKey: key, productIdentifier: product, storefrontID: "DE-1",
      price: OnsideProto.Money(minorUnits: cents, currencyCode: "EUR", exponent: 2),
      paymentMethod: .cardToken("sandbox-paid"))
  }

  @Test("It is listed all kinds of products, and buys them with a card")
  func everything() async throws {
    let fixture = try await MarketplaceFixture()
    let session = CallOptions.session(
      try await fixture.logIn(phone: MarketplaceFixture.phoneNumber).sessionToken)
    let products = try await fixture.products.listProducts(
      ListProductsRequest(productIdentifiers: ["coins", "no-ads", "club"]), options: session)
    #expect(products.products.map(\.productIdentifier) == ["coins", "no-ads", "club"])
    #expect(products.unsupportedIdentifiers.isEmpty)
    for (product, cents) in [("coins", 499), ("no-ads", 299), ("club", 199)] as [(String, Int64)] {
      let bought = try await fixture.payments.createPurchase(
        request(product, cents: cents, key: product), options: session)
      #expect(bought.transaction?.state == .purchased)
    }
  }

  @Test("Its transactions are listed in their app only, in each store")
  func transactionsByApp() async throws {
    let folder = try TemporaryFolder()
    for store in [MemoryStore(), try SQLiteStore(path: "\(folder.path)/store")] as [any Store] {
      let fixture = try await MarketplaceFixture(store: store)
      let shop = CallOptions.session(
        try await fixture.logIn(phone: MarketplaceFixture.phoneNumber).sessionToken)
      let other = CallOptions.session(
        try await fixture.logIn(
          phone: MarketplaceFixture.phoneNumber, app: TestCatalogue.other
        ).sessionToken)
      let bought = try await fixture.payments.createPurchase(
        request("coins", cents: 499), options: shop
      ).transaction
      let inShop = try await fixture.payments.listTransactions(
        ListTransactionsRequest(), options: shop)
      #expect(inShop.transactions.map(\.transactionID) == [bought?.transactionID])
      let elsewhere = try await fixture.payments.listTransactions(
        ListTransactionsRequest(), options: other)
      #expect(elsewhere.transactions.isEmpty)
      let stolen = try await failure { () throws(RPCError) in
        try await fixture.payments.finishTransaction(
          FinishTransactionRequest(transactionID: bought?.transactionID ?? ""), options: other)
      }
      #expect(stolen.refusalReason == .transactionNotFound)
      await store.close()
    }
  }

  @Test("Its session ends like any other, in its app alone")
  func logout() async throws {
    let fixture = try await MarketplaceFixture()
    let shop = CallOptions.session(
      try await fixture.logIn(phone: MarketplaceFixture.phoneNumber).sessionToken)
    let other = CallOptions.session(
      try await fixture.logIn(
        phone: MarketplaceFixture.phoneNumber, app: TestCatalogue.other
      ).sessionToken)
    _ = try await fixture.login.endSession(EndSessionRequest(), options: shop)
    let ended = try await failure { () throws(RPCError) in
      try await fixture.login.getProfile(GetProfileRequest(), options: shop)
    }
    #expect(ended.refusalReason == .sessionEnded)
    #expect(try await fixture.login.getProfile(GetProfileRequest(), options: other).profile != nil)
  }
}
