/// Decides about payments whose storefront has changed.
///
/// Source: the SDK's page on storefront price changes.
public protocol OnsidePaymentQueueDelegate: AnyObject {
  /// Whether a transaction goes on in another storefront than the one that it was enqueued in.
  /// False: it fails as cancelled. True by default.
  @MainActor func onsidePaymentQueue(
    _ queue: any OnsidePaymentQueue, shouldContinue transaction: OnsidePaymentTransaction,
    in storefront: OnsideStorefront
  ) -> Bool

  /// The same, for apps that have to ask somebody. This is the one that the library calls; by
  /// default it asks the other.
  @MainActor func onsidePaymentQueue(
    _ queue: any OnsidePaymentQueue, shouldContinue transaction: OnsidePaymentTransaction,
    in storefront: OnsideStorefront
  ) async -> Bool
}

extension OnsidePaymentQueueDelegate {
  /// Goes on.
  @MainActor public func onsidePaymentQueue(
    _ queue: any OnsidePaymentQueue, shouldContinue transaction: OnsidePaymentTransaction,
    in storefront: OnsideStorefront
  ) -> Bool { true }

  /// Asks the synchronous function.
  @MainActor public func onsidePaymentQueue(
    _ queue: any OnsidePaymentQueue, shouldContinue transaction: OnsidePaymentTransaction,
    in storefront: OnsideStorefront
  ) async -> Bool {
    // In an asynchronous function the call alone would mean this function again.
    let ask:
      @MainActor (any OnsidePaymentQueue, OnsidePaymentTransaction, OnsideStorefront) -> Bool = {
        self.onsidePaymentQueue($0, shouldContinue: $1, in: $2)
      }
    return ask(queue, transaction, storefront)
  }
}
