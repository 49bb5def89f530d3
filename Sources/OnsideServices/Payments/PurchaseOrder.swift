import OnsideDomain
import OnsideProto
import RPC

/// A request to buy whose fields were checked by themselves: what a retry has to repeat exactly.
///
/// Nothing that can change meanwhile (catalogue, profile, processor) was asked for it yet.
struct PurchaseOrder: Sendable {
  let idempotencyKey: String
  let productIdentifier: String

  /// What the user saw.
  let seen: PurchaseOffer

  /// Nil: the request has no payment method.
  let payment: Payment?

  let appAccountToken: String?

  struct Payment: Sendable {
    let method: PaymentMethodKind

    /// Of a saved card: its identifier.
    let token: String
  }

  /// Checks a request.
  ///
  /// - Throws: A refusal that names the field. It never shows the payment token.
  init(_ request: CreatePurchaseRequest) throws(RPCError) {
    idempotencyKey = request.idempotencyKey
    productIdentifier = request.productIdentifier
    appAccountToken = request.appAccountToken
    try Self.check(idempotencyKey, .idempotencyKey, .idempotencyKeyInvalid)
    try Self.check(productIdentifier, .productIdentifier, .productIdentifierInvalid)
    if let appAccountToken {
      try Self.check(appAccountToken, .appAccountToken, .appAccountTokenInvalid)
    }
    payment = try Self.payment(request.paymentMethod)
    seen = PurchaseOffer(
      storefrontID: request.storefrontID, price: try Self.price(request.price))
  }

  private static func check(
    _ value: String, _ rule: IdentifierRule, _ reason: RefusalReason
  ) throws(RPCError) {
    do throws(InvalidIdentifier) {
      try rule.validate(value)
    } catch {
      throw RPCError(reason, error, rule)
    }
  }

  private static func payment(
    _ method: CreatePurchaseRequest.PaymentMethod?
  ) throws(RPCError) -> Payment? {
    let payment: Payment
    switch method {
    case .applePayToken(let token)?: payment = Payment(method: .applePay, token: token)
    case .cardToken(let token)?: payment = Payment(method: .card, token: token)
    // Whether the profile has it is found out later: nothing else can be wrong with it.
    case .savedCardID(let id)?: return Payment(method: .savedCard, token: id)
    case nil: return nil
    }
    let rule = IdentifierRule.paymentToken
    let problem = Array(payment.token.utf8).withUnsafeBytes { rule.problem($0) }
    guard let problem else { return payment }
    // The error's own text shows the value, which is a secret here.
    let invalid = InvalidIdentifier(field: rule.field, problem: problem, value: "[redacted]")
    throw RPCError(.paymentMethodInvalid, invalid, rule)
  }

  private static func price(
    _ price: OnsideProto.Money?
  ) throws(RPCError) -> OnsideDomain.Money {
    guard let price else {
      throw RPCError(.priceChanged, "no price was sent; send the price that the user saw")
    }
    guard let currency = Currency(price.currencyCode) else {
      throw RPCError(
        .priceChanged,
        "\(Escaping.quoted(price.currencyCode)) isn't a currency of ISO 4217; send the price that "
          + "ListProducts answered", ["field": "price.currency_code"])
    }
    guard Int(price.exponent) == currency.exponent else {
      throw RPCError(
        .priceChanged,
        "the price has the exponent \(price.exponent), but \(currency) has \(currency.exponent) "
          + "decimal places; send the price that ListProducts answered",
        ["field": "price.exponent", "exponent": String(currency.exponent)])
    }
    return OnsideDomain.Money(minorUnits: price.minorUnits, currency: currency)
  }

  /// SHA-256 over the named fields, bound to the idempotency key: 32 bytes.
  var fingerprint: [UInt8] {
    let fields = PurchaseFingerprint(
      productIdentifier: productIdentifier, offer: seen,
      paymentMethod: payment?.method ?? .card, paymentToken: payment?.token ?? "",
      appAccountToken: appAccountToken)
    return SHA256.digest(fields.canonicalBytes)
  }
}
