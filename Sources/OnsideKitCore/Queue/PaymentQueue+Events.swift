import OnsideClient
import OnsideDomain

extension PaymentQueue {
  /// Tells an observer what has happened.
  func tell(_ observer: any OnsidePaymentTransactionObserver, _ event: MarketplaceEvent) {
    switch event {
    case .updated(let transactions):
      observer.onsidePaymentQueue(
        self, updatedTransactions: transactions.map(OnsidePaymentTransaction.init))
    case .removed(let transactions):
      observer.onsidePaymentQueue(
        self, removedTransactions: transactions.map(OnsidePaymentTransaction.init))
    case .restoreFinished:
      observer.onsidePaymentQueueRestoreCompletedTransactionsFinished(self)
    case .restoreFailed(let error):
      observer.onsidePaymentQueue(
        self,
        restoreCompletedTransactionsFailedWithError: OnsideTransactionsRestoreError(error))
    case .storefrontChanged: observer.onsidePaymentQueueDidChangeStorefront(self)
    // The interface has no word for it; the storefront's change tells.
    case .userChanged: break
    }
  }

  /// Asks the delegate whether a transaction goes on in another storefront.
  func continues(_ transaction: PaymentTransaction, in storefront: Storefront) async -> Bool {
    guard let delegate else { return true }
    return await delegate.onsidePaymentQueue(
      self, shouldContinue: OnsidePaymentTransaction(transaction),
      in: OnsideStorefront(storefront))
  }
}
