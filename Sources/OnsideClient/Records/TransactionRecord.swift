public import OnsideDomain
import OnsideProto

/// A purchase, as the service knows it.
public struct TransactionRecord: Sendable, Hashable {
  /// A UUID in its 36-character form, lower case.
  public let id: String

  /// Of a renewed or restored purchase: the first one's. Else the same as `id`.
  public let originalID: String

  /// What was bought.
  public let productIdentifier: String

  /// What buying it means.
  public let productKind: OnsideDomain.ProductKind

  /// Where the purchase stands.
  public let state: PurchaseState

  /// What it cost.
  public let price: OnsideDomain.Money

  /// Where it was made.
  public let storefront: OnsideDomain.Storefront

  /// The app's own reference, as it was given.
  public let appAccountToken: String?

  /// Milliseconds since 1970 UTC.
  public let createdAtMilliseconds: Int64

  /// Of the last change; milliseconds since 1970 UTC.
  public let updatedAtMilliseconds: Int64

  /// The app has delivered what was bought.
  public let isFinished: Bool

  /// Only in the state failed.
  public let failureReason: OnsideDomain.FailureReason?

  /// A transaction that doesn't come from the service.
  init(
    id: String, productIdentifier: String, productKind: OnsideDomain.ProductKind,
    state: PurchaseState, price: OnsideDomain.Money, storefront: OnsideDomain.Storefront,
    appAccountToken: String?, createdAtMilliseconds: Int64, updatedAtMilliseconds: Int64,
    isFinished: Bool = false, failureReason: OnsideDomain.FailureReason? = nil
  ) {
    self.id = id
    originalID = id
    self.productIdentifier = productIdentifier
    self.productKind = productKind
    self.state = state
    self.price = price
    self.storefront = storefront
    self.appAccountToken = appAccountToken
    self.createdAtMilliseconds = createdAtMilliseconds
    self.updatedAtMilliseconds = updatedAtMilliseconds
    self.isFinished = isFinished
    self.failureReason = failureReason
  }

  init(_ message: Transaction?) throws(OnsideError) {
    guard let message else { throw .invalidResponse("it has no transaction") }
    guard let state = UInt8(exactly: message.state.rawValue).flatMap(PurchaseState.init(rawValue:))
    else { throw .invalidResponse("transaction state \(message.state.rawValue) isn't known") }
    guard
      let kind = UInt8(exactly: message.productKind.rawValue).flatMap(
        OnsideDomain.ProductKind.init(rawValue:))
    else { throw .invalidResponse("product kind \(message.productKind.rawValue) isn't known") }
    id = message.transactionID
    originalID = message.originalTransactionID
    productIdentifier = message.productIdentifier
    productKind = kind
    self.state = state
    price = try OnsideDomain.Money(message.price)
    storefront = try OnsideDomain.Storefront(message.storefront)
    appAccountToken = message.appAccountToken
    createdAtMilliseconds = message.createdAtMs
    updatedAtMilliseconds = message.updatedAtMs
    isFinished = message.finished
    failureReason = UInt8(exactly: message.failureReason.rawValue)
      .flatMap(OnsideDomain.FailureReason.init(rawValue:))
  }
}
