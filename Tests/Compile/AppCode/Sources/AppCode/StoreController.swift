// A store in the style of a public client: one NSObject without isolation that is everything.

import Foundation

#if LITE
  import OnsideKitLite
#else
  import OnsideKit
#endif

class StoreController: NSObject {
  var productsRequest: OnsideProductsRequest?
  var products: [String: OnsideProduct] = [:]
  var log: [String] = []

  @MainActor func begin() {
    Onside.defaultPaymentQueue().add(observer: self)
    Onside.defaultPaymentQueue().delegate = self
  }

  @MainActor func end() {
    Onside.defaultPaymentQueue().remove(observer: self)
    productsRequest?.stop()
    productsRequest = nil
  }

  @MainActor func load(_ identifiers: [String]) {
    let request = Onside.makeProductsRequest(productIdentifiers: Set(identifiers))
    request.delegate = self
    request.start()
    productsRequest = request
  }

  @MainActor func buy(_ identifier: String, for user: String) {
    guard let product = products[identifier] else { return }
    var payment = OnsidePayment(product: product)
    payment.appAccountToken = user
    Onside.defaultPaymentQueue().add(payment) { result in
      switch result {
      case .success: print("taken")
      case .failure(let error):
        switch error {
        case .loginDiscarded: print("not signed in")
        case .notSupportedForExternalLogin, .applePayRequired: print("not for this account")
        @unknown default: print("\(error)")
        }
      }
    }
  }

  @MainActor func restore() {
    Onside.defaultPaymentQueue().restoreCompletedTransactions { result in
      if case .failure(.loginDiscarded) = result { print("not signed in") }
    }
    Onside.defaultPaymentQueue().restoreCompletedTransactions(completion: nil)
  }
}

extension StoreController: OnsideProductsRequestDelegate {
  func onsideProductsRequest(
    _ request: OnsideProductsRequest, didReceive response: OnsideProductsResponse
  ) {
    for product in response.products { products[product.productIdentifier] = product }
    log.append(response.invalidProductIdentifiers.joined(separator: ", "))
    log.append(response.unsupportedProductIdentifiers.joined(separator: ", "))
  }

  // The misspelt name of an older version.
  func onsideProductsRequestRequest(
    _ request: OnsideProductsRequest, didFailWithError error: OnsideProductsRequestError
  ) {
    log.append("\(error)")
  }

  func onsideProductsRequestDidFinish(_ request: OnsideProductsRequest) {
    productsRequest = nil
  }
}

extension StoreController: OnsidePaymentTransactionObserver {
  func onsidePaymentQueue(
    _ queue: OnsidePaymentQueue, updatedTransactions transactions: [OnsidePaymentTransaction]
  ) {
    for transaction in transactions {
      switch transaction.transactionState {
      case .purchasing: break
      case .purchased, .restored:
        log.append(transaction.transactionIdentifier ?? transaction.id.uuidString)
        queue.finishTransaction(transaction)
      case .failed:
        if case .cancelled? = transaction.error { log.append("cancelled") }
        queue.finishTransaction(transaction)
      @unknown default: break
      }
    }
  }

  func onsidePaymentQueue(
    _ queue: OnsidePaymentQueue, removedTransactions: [OnsidePaymentTransaction]
  ) {
    log.append("removed \(removedTransactions.count), left \(queue.transactions.count)")
  }

  func onsidePaymentQueueRestoreCompletedTransactionsFinished(_ queue: OnsidePaymentQueue) {}

  func onsidePaymentQueue(
    _ queue: OnsidePaymentQueue,
    restoreCompletedTransactionsFailedWithError error: OnsideTransactionsRestoreError
  ) {
    if error == .connectionError { log.append("offline") }
  }

  func onsidePaymentQueueDidChangeStorefront(_ queue: OnsidePaymentQueue) {
    log.append(queue.storefront?.countryCode ?? "none")
  }
}

extension StoreController: OnsidePaymentQueueDelegate {
  func onsidePaymentQueue(
    _ queue: OnsidePaymentQueue, shouldContinue transaction: OnsidePaymentTransaction,
    in storefront: OnsideStorefront
  ) -> Bool {
    storefront.countryCode == transaction.storefront.countryCode
  }
}

/// The gate as an asynchronous function.
@MainActor final class AskingGate: OnsidePaymentQueueDelegate {
  func onsidePaymentQueue(
    _ queue: OnsidePaymentQueue, shouldContinue transaction: OnsidePaymentTransaction,
    in storefront: OnsideStorefront
  ) async -> Bool {
    await Task.yield()
    return true
  }
}

/// An observer with the one function that is required.
final class SmallestObserver: OnsidePaymentTransactionObserver {
  func onsidePaymentQueue(
    _ queue: OnsidePaymentQueue, updatedTransactions: [OnsidePaymentTransaction]
  ) {}
}
