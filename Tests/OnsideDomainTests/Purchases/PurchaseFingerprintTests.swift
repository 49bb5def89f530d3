import OnsideDomain
import Testing

@Suite struct PurchaseFingerprintTests {
  static func fingerprint(
    product: String = "a", storefront: String = "DE", minorUnits: Int64 = 99,
    currency: String = "EUR", method: PaymentMethodKind = .applePay, token: String = "t",
    account: String? = nil
  ) throws -> PurchaseFingerprint {
    PurchaseFingerprint(
      productIdentifier: product,
      offer: PurchaseOffer(
        storefrontID: storefront,
        price: Money(minorUnits: minorUnits, currency: try #require(Currency(currency)))),
      paymentMethod: method, paymentToken: token, appAccountToken: account)
  }

  @Test func everyFieldCounts() throws {
    let all = [
      try Self.fingerprint(), try Self.fingerprint(product: "b"),
      try Self.fingerprint(storefront: "NL"), try Self.fingerprint(minorUnits: 98),
      try Self.fingerprint(currency: "USD"), try Self.fingerprint(method: .card),
      try Self.fingerprint(token: "u"), try Self.fingerprint(account: ""),
      try Self.fingerprint(account: "x"),
    ]
    #expect(Set(all.map(\.canonicalBytes)).count == all.count)
    #expect(try Self.fingerprint().canonicalBytes == all[0].canonicalBytes)
  }

  /// Values that run into their neighbours must not make two requests one.
  @Test func valuesDoNotRunTogether() throws {
    let left = try Self.fingerprint(product: "ab", storefront: "c")
    let right = try Self.fingerprint(product: "a", storefront: "bc")
    #expect(left.canonicalBytes != right.canonicalBytes)
  }

  /// Stored fingerprints are compared with new ones: these bytes stay as they are.
  @Test func isStable() throws {
    let expected = [
      "purchase/1", "product_identifier", "a", "storefront_id", "DE", "price_minor_units", "99",
      "price_currency", "EUR", "apple_pay_token", "t", "app_account_token", "x",
    ]
    let bytes = expected.flatMap { text -> [UInt8] in
      [0, 0, 0, UInt8(text.utf8.count)] + Array(text.utf8)
    }
    #expect(try Self.fingerprint(account: "x").canonicalBytes == bytes)
  }
}
