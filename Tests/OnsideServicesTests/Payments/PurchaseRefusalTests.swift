import OnsideDomain
import OnsideProto
import OnsideStore
import RPC
import Testing

@testable import OnsideServices

@Suite("What isn't sold")
struct PurchaseRefusalTests {
  /// Checks that a request is refused before anything is written or charged.
  private func expectRefusal(
    _ request: CreatePurchaseRequest, _ reason: RefusalReason,
    _ kind: OnsideDomain.ProfileKind = .external,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let processor = SandboxProcessor()
    let store = MemoryStore()
    let fixture = try PurchaseFixture(processor: processor, store: store)
    let buyer = try fixture.buyer(kind)
    #expect(await fixture.refusal(request, buyer) == reason, sourceLocation: sourceLocation)
    #expect(processor.counters.requests == 0, sourceLocation: sourceLocation)
    #expect(store.counters.commits == 0, sourceLocation: sourceLocation)
    #expect(try await fixture.transactions(of: buyer) == [], sourceLocation: sourceLocation)
  }

  @Test(
    "Fields that break their rule",
    arguments: [
      ("", "coins", "t", RefusalReason.idempotencyKeyInvalid),
      (String(repeating: "k", count: 65), "coins", "t", .idempotencyKeyInvalid),
      ("key\u{0}", "coins", "t", .idempotencyKeyInvalid),
      ("key", "", "t", .productIdentifierInvalid), ("key", "a\nb", "t", .productIdentifierInvalid),
      ("key", "coins", "", .paymentMethodInvalid),
      ("key", "coins", String(repeating: "t", count: 1_025), .paymentMethodInvalid),
    ])
  func fields(
    _ key: String, _ product: String, _ token: String, _ reason: RefusalReason
  ) async throws {
    try await expectRefusal(PurchaseFixture.request(product, key: key, token: token), reason)
  }

  @Test("B34: an app account token over its limit is a typed error; at its limit it is kept")
  func appAccountToken() async throws {
    var request = PurchaseFixture.request()
    request.appAccountToken = String(repeating: "é", count: 512) + "x"
    try await expectRefusal(request, .appAccountTokenInvalid)
    request.appAccountToken = String(repeating: "é", count: 512)
    let fixture = try PurchaseFixture()
    let purchase = try await fixture.buy(request, fixture.buyer())
    #expect(purchase.transaction.appAccountToken == request.appAccountToken)
  }

  @Test("A product that the app doesn't have, or doesn't sell in this storefront")
  func unknownProduct() async throws {
    try await expectRefusal(PurchaseFixture.request("none"), .productNotFound)
    let fixture = try PurchaseFixture()
    let japan = try #require(CountryCode(alpha2: "JP"))
    let buyer = Buyer(
      profileID: .random(), appID: TestCatalogue.shop, kind: .external, storefront: .init(japan))
    var request = PurchaseFixture.request("gems")
    request.storefrontID = "JP"
    #expect(await fixture.refusal(request, buyer) == .productNotFound)
  }

  @Test("An external profile buys consumables through Apple Pay only; a regular one everything")
  func external() async throws {
    let nonConsumable = PurchaseFixture.request("no-ads", cents: 299)
    let subscription = PurchaseFixture.request("club", cents: 199)
    var card = PurchaseFixture.request()
    card.paymentMethod = .cardToken("sandbox-paid")
    var nothing = PurchaseFixture.request()
    nothing.paymentMethod = nil
    try await expectRefusal(nonConsumable, .notSupportedForExternalLogin)
    try await expectRefusal(subscription, .notSupportedForExternalLogin)
    try await expectRefusal(card, .applePayRequired)
    try await expectRefusal(nothing, .applePayRequired)
    try await expectRefusal(nothing, .paymentMethodInvalid, .regular)
    for request in [nonConsumable, subscription, card] {
      let fixture = try PurchaseFixture()
      let purchase = try await fixture.buy(request, fixture.buyer(.regular))
      #expect(purchase.transaction.lifecycle.state == .purchased)
    }
  }

  @Test("B43: a purchase with a product of another storefront is refused with the right one's name")
  func storefrontChanged() async throws {
    var request = PurchaseFixture.request()
    request.storefrontID = "JP"
    try await expectRefusal(request, .storefrontChanged)
    request.storefrontID = ""
    try await expectRefusal(request, .storefrontChanged)
    let fixture = try PurchaseFixture()
    let error = await #expect(throws: RPCError.self) {
      try await fixture.buy(request, fixture.buyer())
    }
    #expect(error?.info?.values["storefront_id"] == "DE-1")
    #expect(error?.info?.values["country_code"] == "DE")
  }

  @Test(
    "B44: another amount, currency or exponent than the catalogue's is refused",
    arguments: [
      OnsideProto.Money(minorUnits: 498, currencyCode: "EUR", exponent: 2),
      OnsideProto.Money(minorUnits: 49_900, currencyCode: "EUR", exponent: 2),
      OnsideProto.Money(minorUnits: 499, currencyCode: "USD", exponent: 2),
      OnsideProto.Money(minorUnits: 499, currencyCode: "EUR", exponent: 0),
      OnsideProto.Money(minorUnits: -499, currencyCode: "EUR", exponent: 2),
      OnsideProto.Money(minorUnits: .max, currencyCode: "EUR", exponent: 2),
      OnsideProto.Money(minorUnits: 499, currencyCode: "euro", exponent: 2), nil,
    ] as [OnsideProto.Money?])
  func priceChanged(_ price: OnsideProto.Money?) async throws {
    var request = PurchaseFixture.request()
    request.price = price
    try await expectRefusal(request, .priceChanged)
  }

  @Test("B44: currencies without decimals and with three are charged as the catalogue has them")
  func exponents() async throws {
    let fixture = try PurchaseFixture()
    for (country, app, minorUnits, currency, exponent) in [
      ("JP", TestCatalogue.shop, 490, "JPY", 0), ("KW", TestCatalogue.other, 1_500, "KWD", 3),
    ] as [(String, String, Int64, String, UInt32)] {
      let code = try #require(CountryCode(alpha2: country))
      let buyer = Buyer(
        profileID: .random(), appID: app, kind: .external, storefront: .init(code))
      var request = PurchaseFixture.request()
      request.storefrontID = country
      request.price = OnsideProto.Money(
        minorUnits: minorUnits, currencyCode: currency, exponent: exponent)
      let purchase = try await fixture.buy(request, buyer)
      #expect(purchase.transaction.message.price == request.price)
    }
  }

  @Test("A payment token that nobody made is refused, and isn't shown")
  func unknownToken() async throws {
    try await expectRefusal(
      PurchaseFixture.request(token: "tok_live_secret"), .paymentMethodInvalid)
    let fixture = try PurchaseFixture()
    for token in ["tok_live_secret", String(repeating: "tok_live_secret", count: 100)] {
      let error = await #expect(throws: RPCError.self) {
        try await fixture.buy(PurchaseFixture.request(token: token), fixture.buyer())
      }
      #expect(error.map { "\($0) \($0.info?.values ?? [:])".contains("secret") } == false)
    }
  }
}
