/// What makes two purchase requests the same: the fields that an idempotency key is bound to.
public struct PurchaseFingerprint: Hashable, Sendable {
  public let productIdentifier: String
  public let offer: PurchaseOffer
  public let paymentMethod: PaymentMethodKind

  /// The Apple Pay token or the card token; of a saved card its identifier.
  public let paymentToken: String

  /// Nil isn't the same as empty.
  public let appAccountToken: String?

  public init(
    productIdentifier: String, offer: PurchaseOffer, paymentMethod: PaymentMethodKind,
    paymentToken: String, appAccountToken: String?
  ) {
    self.productIdentifier = productIdentifier
    self.offer = offer
    self.paymentMethod = paymentMethod
    self.paymentToken = paymentToken
    self.appAccountToken = appAccountToken
  }

  /// The fields by name, in an encoding that no two different requests share; what is hashed and
  /// stored. Each field is its name and its value, each behind its length in 32 bits, big-endian.
  ///
  /// Stored fingerprints are compared with new ones, so the encoding never changes under the name
  /// `purchase/1`.
  public var canonicalBytes: [UInt8] {
    var bytes: [UInt8] = []
    append("purchase/1", to: &bytes)
    append("product_identifier", productIdentifier, to: &bytes)
    append("storefront_id", offer.storefrontID, to: &bytes)
    append("price_minor_units", String(offer.price.minorUnits), to: &bytes)
    append("price_currency", offer.price.currency.code, to: &bytes)
    append(paymentField, paymentToken, to: &bytes)
    if let appAccountToken { append("app_account_token", appAccountToken, to: &bytes) }
    return bytes
  }

  /// The request's field that says how it is paid.
  private var paymentField: String {
    switch paymentMethod {
    case .applePay: "apple_pay_token"
    case .card: "card_token"
    case .savedCard: "saved_card_id"
    }
  }

  private func append(_ name: String, _ value: String, to bytes: inout [UInt8]) {
    append(name, to: &bytes)
    append(value, to: &bytes)
  }

  private func append(_ text: String, to bytes: inout [UInt8]) {
    let length = UInt32(truncatingIfNeeded: text.utf8.count)
    for shift in stride(from: 24, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: length >> UInt32(shift)))
    }
    bytes.append(contentsOf: text.utf8)
  }
}
