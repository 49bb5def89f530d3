import OnsideDomain
import Testing

@Suite struct EligibilityRulesTests {
  @Test func regularProfilesMayDoEverything() {
    for product in ProductKind.allCases {
      #expect(EligibilityRules.lists(product, for: .regular))
      for method in PaymentMethodKind.allCases {
        #expect(EligibilityRules.refusal(of: product, for: .regular, paidWith: method) == nil)
      }
    }
  }

  @Test func externalProfilesBuyConsumablesThroughApplePay() {
    let refusal = EligibilityRules.refusal(of:for:paidWith:)
    #expect(refusal(.consumable, .external, .applePay) == nil)
    #expect(refusal(.consumable, .external, .card) == .applePayRequired)
    for product in [ProductKind.nonConsumable, .subscription] {
      for method in PaymentMethodKind.allCases {
        #expect(refusal(product, .external, method) == .notSupportedForExternalLogin)
      }
    }
  }

  @Test func externalProfilesSeeConsumablesOnly() {
    #expect(
      ProductKind.allCases.filter { EligibilityRules.lists($0, for: .external) } == [.consumable])
  }

  @Test func aPurchaseIsWhatTheUserSaw() throws {
    let euro = try #require(Currency("EUR"))
    let yen = try #require(Currency("JPY"))
    let offer = PurchaseOffer(
      storefrontID: "DE", price: Money(minorUnits: 99, currency: euro))
    #expect(offer.refusal(ofSeen: offer) == nil)
    for price in [Money(minorUnits: 98, currency: euro), Money(minorUnits: 99, currency: yen)] {
      let seen = PurchaseOffer(storefrontID: "DE", price: price)
      #expect(offer.refusal(ofSeen: seen) == .priceChanged)
      let elsewhere = PurchaseOffer(storefrontID: "NL", price: price)
      #expect(offer.refusal(ofSeen: elsewhere) == .storefrontChanged)
    }
  }
}
