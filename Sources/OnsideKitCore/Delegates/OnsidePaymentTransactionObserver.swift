/// Is told what happens to transactions. The queue holds observers weakly.
///
/// Source: the SDK's pages on the payment queue and on restoring purchases, and its example app.
public protocol OnsidePaymentTransactionObserver: AnyObject {
  /// Transactions are new or have changed. A new observer gets everything that is unfinished.
  @MainActor func onsidePaymentQueue(
    _ queue: any OnsidePaymentQueue, updatedTransactions: [OnsidePaymentTransaction])

  /// The app has finished transactions. Optional.
  @MainActor func onsidePaymentQueue(
    _ queue: any OnsidePaymentQueue, removedTransactions: [OnsidePaymentTransaction])

  /// A restore is through; what was found came before, as updated transactions. Optional.
  @MainActor func onsidePaymentQueueRestoreCompletedTransactionsFinished(
    _ queue: any OnsidePaymentQueue)

  /// A restore came to nothing. Optional.
  @MainActor func onsidePaymentQueue(
    _ queue: any OnsidePaymentQueue,
    restoreCompletedTransactionsFailedWithError error: OnsideTransactionsRestoreError)

  /// `storefront` has changed: load products again. Optional.
  @MainActor func onsidePaymentQueueDidChangeStorefront(_ queue: any OnsidePaymentQueue)
}

extension OnsidePaymentTransactionObserver {
  /// Does nothing.
  @MainActor public func onsidePaymentQueue(
    _ queue: any OnsidePaymentQueue, removedTransactions: [OnsidePaymentTransaction]
  ) {}

  /// Does nothing.
  @MainActor public func onsidePaymentQueueRestoreCompletedTransactionsFinished(
    _ queue: any OnsidePaymentQueue
  ) {}

  /// Does nothing.
  @MainActor public func onsidePaymentQueue(
    _ queue: any OnsidePaymentQueue,
    restoreCompletedTransactionsFailedWithError error: OnsideTransactionsRestoreError
  ) {}

  /// Does nothing.
  @MainActor public func onsidePaymentQueueDidChangeStorefront(_ queue: any OnsidePaymentQueue) {}
}
