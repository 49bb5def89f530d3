import OnsideDomain
import OnsideProto

/// How a purchase is paid.
public enum PaymentMethod: Sendable, Hashable {
  /// With what the Apple Pay sheet returned.
  case applePay(token: String)

  /// With a card, as the processor's token. Regular profiles only.
  case card(token: String)

  /// With a card that the profile keeps. Regular profiles only.
  case savedCard(id: String)
}

extension PaymentMethod: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Without the token.
  public var description: String {
    switch self {
    case .applePay: "Apple Pay"
    case .card, .savedCard: "card"
    }
  }

  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [] as [Mirror.Child]) }
}

/// The wish to buy one product once, at the price and in the storefront that the user saw.
public struct PurchaseRequest: Sendable {
  /// The same key never buys twice. 1 to 64 bytes; the service keeps it 30 days.
  public var idempotencyKey: String

  /// What the user saw and wants.
  public var product: ProductRecord

  /// How the user pays.
  public var paymentMethod: PaymentMethod

  /// The app's own reference, at most 1,024 bytes; comes back as it was given.
  public var appAccountToken: String?

  /// A wish with a key of its own.
  public init(
    _ product: ProductRecord, paymentMethod: PaymentMethod, appAccountToken: String? = nil,
    idempotencyKey: String = PurchaseRequest.randomKey()
  ) {
    self.product = product
    self.paymentMethod = paymentMethod
    self.appAccountToken = appAccountToken
    self.idempotencyKey = idempotencyKey
  }

  /// 128 random bits as 32 hexadecimal digits.
  public static func randomKey() -> String {
    var random = SystemRandomNumberGenerator()
    return [random.next(), random.next()].map { (part: UInt64) in
      let digits = String(part, radix: 16)
      return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }.joined()
  }

  var message: CreatePurchaseRequest {
    var message = CreatePurchaseRequest(
      idempotencyKey: idempotencyKey, productIdentifier: product.identifier,
      storefrontID: product.storefront.id, price: product.price.message)
    switch paymentMethod {
    case .applePay(let token): message.paymentMethod = .applePayToken(token)
    case .card(let token): message.paymentMethod = .cardToken(token)
    case .savedCard(let id): message.paymentMethod = .savedCardID(id)
    }
    message.appAccountToken = appAccountToken
    return message
  }
}
