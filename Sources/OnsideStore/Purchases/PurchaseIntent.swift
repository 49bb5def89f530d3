import OnsideDomain

/// A purchase before its payment is asked for: what has to be on disk first.
public struct PurchaseIntent: Hashable, Sendable {
  /// Chosen by the caller; time-ordered, so that a profile's transactions are neighbours.
  public let transactionID: TransactionID

  public let profileID: ProfileID
  public let appID: String

  /// The client's key of this purchase; unique within (profile, app) while it is kept.
  public let idempotencyKey: String

  /// A digest of the request's named fields, compared byte by byte; 1 to 64 bytes.
  public let fingerprint: [UInt8]

  public let productIdentifier: String
  public let productKind: ProductKind

  /// Whether a profile can have the product only once: no second purchase begins while one is open
  /// or has succeeded.
  public let isExclusive: Bool

  public let price: Money
  public let storefront: Storefront
  public let appAccountToken: String?

  /// How it is paid, as far as it may be kept for good.
  public let payment: PaymentDescription

  /// What the processor charges. The store forgets it when the outcome is final.
  public let paymentToken: String

  public let createdAt: Timestamp

  public init(
    transactionID: TransactionID, profileID: ProfileID, appID: String, idempotencyKey: String,
    fingerprint: [UInt8], productIdentifier: String, productKind: ProductKind,
    isExclusive: Bool, price: Money, storefront: Storefront, appAccountToken: String?,
    payment: PaymentDescription, paymentToken: String, createdAt: Timestamp
  ) {
    self.transactionID = transactionID
    self.profileID = profileID
    self.appID = appID
    self.idempotencyKey = idempotencyKey
    self.fingerprint = fingerprint
    self.productIdentifier = productIdentifier
    self.productKind = productKind
    self.isExclusive = isExclusive
    self.price = price
    self.storefront = storefront
    self.appAccountToken = appAccountToken
    self.payment = payment
    self.paymentToken = paymentToken
    self.createdAt = createdAt
  }
}

extension PurchaseIntent {
  /// The transaction that the intent becomes.
  public var transaction: TransactionRecord {
    TransactionRecord(
      id: transactionID, originalID: transactionID, profileID: profileID, appID: appID,
      productIdentifier: productIdentifier, productKind: productKind,
      lifecycle: PurchaseLifecycle(), price: price, storefront: storefront,
      appAccountToken: appAccountToken, payment: payment, createdAt: createdAt,
      updatedAt: createdAt)
  }

  /// The intent's place in the order of `unresolvedPurchases`.
  public var position: PurchasePosition {
    PurchasePosition(createdAt: createdAt, profileID: profileID, transactionID: transactionID)
  }
}

extension PurchaseIntent: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// Names the transaction and the product; never the payment token.
  public var description: String { "purchase \(transactionID) of \(productIdentifier)" }

  /// Names the transaction and the product; never the payment token.
  public var debugDescription: String { description }

  /// Shows what `description` shows; never the payment token.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: ["transactionID": transactionID, "productIdentifier": productIdentifier])
  }
}

/// A place in the order of purchases by age.
public struct PurchasePosition: Hashable, Sendable, Comparable {
  public let createdAt: Timestamp
  public let profileID: ProfileID
  public let transactionID: TransactionID

  public init(createdAt: Timestamp, profileID: ProfileID, transactionID: TransactionID) {
    self.createdAt = createdAt
    self.profileID = profileID
    self.transactionID = transactionID
  }

  /// The older first.
  public static func < (left: PurchasePosition, right: PurchasePosition) -> Bool {
    (left.createdAt, left.profileID, left.transactionID)
      < (right.createdAt, right.profileID, right.transactionID)
  }
}
