import OnsideClient
import OnsideDomain

import RPC
import Testing

@Suite struct ClientCallTests {
  private let marketplace = FakeMarketplace()

  private func product(_ client: OnsideClient) async throws -> ProductRecord {
    try #require(try await client.products(["coins"]).products.first)
  }

  private func shop() async throws -> (OnsideClient, ProductRecord) {
    let client = try marketplace.client()
    try await client.logIn(externalUserID: "anna")
    return (client, try await product(client))
  }

  @Test func withoutASessionProductsNameTheAppAndTheCountry() async throws {
    let client = try marketplace.client(.init(appID: "com.example.shop", countryHint: "JP"))
    let product = try await product(client)
    #expect(marketplace.calls("ListProducts").map(\.detail) == ["com.example.shop/JP"])
    #expect(product.price.description == "4.99 EUR")
    #expect(product.storefront.id == "DE")
  }

  /// Case B31: a repeated purchase comes with the same key, so that it is charged once.
  @Test func aPurchaseIsRepeatedWithItsKeyWhileTheServiceIsDown() async throws {
    let (client, product) = try await shop()
    marketplace.before("CreatePurchase") { call in
      if call < 3 { throw RPCError(.unavailable, "the connection was lost") }
    }
    let request = PurchaseRequest(product, paymentMethod: .applePay(token: "t"))
    let transaction = try await client.purchase(request)
    #expect(transaction.id == request.idempotencyKey)
    let keys = Set(marketplace.calls("CreatePurchase").map(\.detail))
    #expect(marketplace.calls("CreatePurchase").count == 3)
    #expect(keys == [request.idempotencyKey])
  }

  @Test func aPurchaseThatIsRefusedIsNotRepeated() async throws {
    let (client, product) = try await shop()
    marketplace.before("CreatePurchase") { _ in
      throw RPCError(
        .failedPrecondition, "no",
        info: ErrorInfo(reason: "APPLE_PAY_REQUIRED", domain: "onside.v1"))
    }
    let error = await failure {
      _ = try await client.purchase(PurchaseRequest(product, paymentMethod: .card(token: "c")))
    }
    #expect(error?.code == .refused)
    #expect(error?.reason == .applePayRequired)
    #expect(marketplace.calls("CreatePurchase").count == 1)
  }

  @Test func aPurchaseThatNeverArrivesEndsAfterItsAttempts() async throws {
    let (client, product) = try await shop()
    marketplace.before("CreatePurchase") { _ in throw RPCError(.unavailable, "down") }
    let error = await failure {
      _ = try await client.purchase(PurchaseRequest(product, paymentMethod: .applePay(token: "t")))
    }
    #expect(error?.code == .unavailable)
    #expect(marketplace.calls("CreatePurchase").count == client.configuration.purchaseAttempts)
  }

  /// Cases B33 and B34: any text comes back as it was given; none stays none.
  @Test(arguments: [nil, "", "not-a-uuid", "ünïcode 🛒", "\u{1}\n"])
  func theAppAccountTokenComesBackAsItWasGiven(token: String?) async throws {
    let (client, product) = try await shop()
    let transaction = try await client.purchase(
      PurchaseRequest(product, paymentMethod: .applePay(token: "t"), appAccountToken: token))
    #expect(transaction.appAccountToken == token)
  }

  @Test func transactionsComeInPagesUntilTheLimit() async throws {
    let (client, _) = try await shop()
    #expect(try await client.transactions().map(\.id) == (0..<1_200).map { "\($0)" })
    #expect(marketplace.calls("ListTransactions").count == 3)
    #expect(try await client.transactions(limit: 501).count == 501)
    #expect(marketplace.calls("ListTransactions").map(\.detail).suffix(2) == ["500", "1"])
  }

  @Test func anAnswerThatMakesNoSenseIsAnErrorAndNotATrap() async throws {
    let (client, _) = try await shop()
    marketplace.before("FinishTransaction") { _ in throw RPCError(.dataLoss, "?") }
    let error = await failure { try await client.finish(transactionID: "t") }
    #expect(error?.code == .failed)
    #expect(error?.cause?.code == .dataLoss)
  }
}
