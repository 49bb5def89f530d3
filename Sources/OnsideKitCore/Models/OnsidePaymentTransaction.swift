#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
import OnsideClient

/// Where a transaction stands.
public enum OnsidePaymentTransactionState: Sendable {
  /// Nothing is decided yet.
  case purchasing

  /// Paid. Deliver, then finish.
  case purchased

  /// Owned already, and given back. Deliver, then finish.
  case restored

  /// Not paid. Finish.
  case failed
}

/// A payment on its way, until the app finishes it.
///
/// Source: the SDK's models.
public struct OnsidePaymentTransaction: Sendable, Identifiable {
  /// Made by this device; stays the same until the transaction is finished.
  public var id: UUID

  /// The service's identifier; nil while it isn't known.
  public var transactionIdentifier: String?

  /// Of a restored or renewed purchase: the first one's.
  public var originalTransactionIdentifier: String?

  /// What was asked for.
  public var payment: OnsidePayment

  /// Where the transaction stands.
  public var transactionState: OnsidePaymentTransactionState

  /// Where the purchase is made.
  public var storefront: OnsideStorefront

  /// Only in the state failed.
  public var error: OnsidePaymentTransactionError?

  /// True while somebody else has to approve the purchase; the state is purchasing then. An
  /// addition to the SDK's interface.
  public var isDeferred: Bool

  /// Why the transaction failed, for a log. An addition to the SDK's interface, whose `error` has
  /// two cases.
  public var failureDescription: String?

  /// Whether two values are states of one transaction: whether their `id` is the same.
  public func isSame(as another: OnsidePaymentTransaction) -> Bool { id == another.id }
}

extension OnsidePaymentTransaction {
  init(_ transaction: PaymentTransaction) {
    self.init(
      id: transaction.id, transactionIdentifier: transaction.transactionID,
      originalTransactionIdentifier: transaction.originalTransactionID,
      payment: OnsidePayment(transaction.payment),
      transactionState: OnsidePaymentTransactionState(transaction.state),
      storefront: OnsideStorefront(transaction.storefront),
      error: transaction.failure.map(OnsidePaymentTransactionError.init),
      isDeferred: transaction.isDeferred, failureDescription: transaction.failure?.message)
  }
}

extension OnsidePayment {
  init(_ payment: Payment) {
    self.init(product: OnsideProduct(payment.product))
    appAccountToken = payment.appAccountToken
  }
}

extension OnsidePaymentTransactionState {
  init(_ state: PaymentTransaction.State) {
    self =
      switch state {
      case .purchasing: .purchasing
      case .purchased: .purchased
      case .restored: .restored
      case .failed: .failed
      }
  }
}
