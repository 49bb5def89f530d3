#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import OnsideClient
import OnsideDomain

/// The queue that `Onside.defaultPaymentQueue()` gives.
@MainActor final class PaymentQueue: OnsidePaymentQueue {
  weak var delegate: (any OnsidePaymentQueueDelegate)?

  private(set) var instance: any MarketplaceInstance
  private var observations: [Observation] = []

  /// Payments that were taken and failed before the marketplace had them.
  private var failures: [OnsidePaymentTransaction] = []

  init(_ instance: any MarketplaceInstance) {
    self.instance = instance
  }

  /// Another marketplace takes the place of the one that there was.
  func follow(_ instance: any MarketplaceInstance) {
    self.instance = instance
    for observation in observations { observation.follow(instance, for: self) }
  }

  /// Ends the sequences that observe the queue.
  func endSequences() {
    for case let observer as UpdatesObserver in transactionObservers { observer.end() }
  }

  /// Forgets what belongs to the user who leaves.
  func forgetUser() { failures = [] }

  var storefront: OnsideStorefront? { instance.storefront.map(OnsideStorefront.init) }

  var transactions: [OnsidePaymentTransaction] {
    instance.transactions.map(OnsidePaymentTransaction.init) + failures
  }

  var transactionObservers: [any OnsidePaymentTransactionObserver] {
    observations.compactMap(\.observer)
  }

  func add(observer: any OnsidePaymentTransactionObserver) {
    observations.removeAll { $0.observer == nil }
    guard !observations.contains(where: { $0.observer === observer }) else { return }
    let observation = Observation(observer)
    observations.append(observation)
    observation.follow(instance, for: self)
    guard !failures.isEmpty else { return }
    Task { [weak self, weak observer] in
      guard let self, let observer, !self.failures.isEmpty else { return }
      observer.onsidePaymentQueue(self, updatedTransactions: self.failures)
    }
  }

  func remove(observer: any OnsidePaymentTransactionObserver) {
    observations.removeAll { $0.observer == nil || $0.observer === observer }
  }

  func restoreCompletedTransactions(
    completion: ((Result<Void, OnsidePaymentQueueRequestRestoreError>) -> Void)?
  ) {
    Task { completion?(await requestRestore()) }
  }

  func requestRestore() async -> Result<Void, OnsidePaymentQueueRequestRestoreError> {
    do throws(OnsideError) {
      try await instance.restoreCompletedTransactions()
      return .success(())
    } catch {
      return .failure(.loginDiscarded)
    }
  }

  func finishTransaction(_ transaction: OnsidePaymentTransaction) {
    if let index = failures.firstIndex(where: { $0.isSame(as: transaction) }) {
      let removed = [failures.remove(at: index)]
      Task {
        for observer in transactionObservers {
          observer.onsidePaymentQueue(self, removedTransactions: removed)
        }
      }
      return
    }
    // Finished already, or another user's: there is nothing to do, and nobody to tell.
    try? instance.finish(transaction.id)
  }

  /// A payment that nothing else can be said about fails in the queue, where the app looks for it.
  func fail(_ payment: OnsidePayment, _ error: OnsideError) {
    let storefront =
      payment.product.record.map { OnsideStorefront($0.storefront) } ?? storefront
      ?? OnsideStorefront(id: "", countryCode: "")
    let transaction = OnsidePaymentTransaction(
      id: UUID(), payment: payment, transactionState: .failed, storefront: storefront,
      error: .presentationFailed, isDeferred: false, failureDescription: error.message)
    failures.append(transaction)
    for observer in transactionObservers {
      observer.onsidePaymentQueue(self, updatedTransactions: [transaction])
    }
  }
}
