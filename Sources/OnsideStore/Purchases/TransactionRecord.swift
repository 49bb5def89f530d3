import OnsideDomain

/// A purchase and what became of it.
public struct TransactionRecord: Hashable, Sendable {
  public let id: TransactionID

  /// Of a renewed or restored purchase: the first one's. Else the same as `id`.
  public let originalID: TransactionID

  public let profileID: ProfileID
  public let appID: String
  public let productIdentifier: String
  public let productKind: ProductKind

  /// The state, why it failed, whether it is finished.
  public var lifecycle: PurchaseLifecycle

  public let price: Money
  public let storefront: Storefront

  /// Exactly as the client gave it; nil isn't the same as empty.
  public let appAccountToken: String?

  /// How it was paid; no token.
  public let payment: PaymentDescription

  public let createdAt: Timestamp

  /// When an outcome was recorded or the transaction was finished.
  public var updatedAt: Timestamp

  public init(
    id: TransactionID, originalID: TransactionID, profileID: ProfileID, appID: String,
    productIdentifier: String, productKind: ProductKind, lifecycle: PurchaseLifecycle,
    price: Money, storefront: Storefront, appAccountToken: String?,
    payment: PaymentDescription, createdAt: Timestamp, updatedAt: Timestamp
  ) {
    self.id = id
    self.originalID = originalID
    self.profileID = profileID
    self.appID = appID
    self.productIdentifier = productIdentifier
    self.productKind = productKind
    self.lifecycle = lifecycle
    self.price = price
    self.storefront = storefront
    self.appAccountToken = appAccountToken
    self.payment = payment
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }
}
