/// The app's payments. There is one for the whole process.
///
/// It does nothing until it has an observer: payments and restores are taken, but not processed.
/// Transactions stay in it until the app finishes them, also through a restart. Source: the SDK's
/// page on the payment queue.
public protocol OnsidePaymentQueue: AnyObject {
  /// Decides about payments whose storefront has changed. Held weakly.
  @MainActor var delegate: (any OnsidePaymentQueueDelegate)? { get set }

  /// The user's storefront; nil while nobody is signed in.
  @MainActor var storefront: OnsideStorefront? { get }

  /// Everything that isn't finished.
  @MainActor var transactions: [OnsidePaymentTransaction] { get }

  /// The observers that there are.
  @MainActor var transactionObservers: [any OnsidePaymentTransactionObserver] { get }

  /// Adds an observer, which is held weakly and is told everything that is unfinished.
  @MainActor func add(observer: any OnsidePaymentTransactionObserver)

  /// Takes an observer out.
  @MainActor func remove(observer: any OnsidePaymentTransactionObserver)

  /// Puts a payment into the queue.
  ///
  /// Without a session a login starts first. The completion says whether the payment was taken;
  /// what becomes of it the observers are told.
  @MainActor func add(
    _ payment: OnsidePayment,
    completion: ((Result<Void, OnsidePaymentQueueAddProductError>) -> Void)?)

  /// Looks for what the user owns: it comes back as transactions in the state restored.
  ///
  /// The completion says whether the restore has started; the observers are told its end.
  @MainActor func restoreCompletedTransactions(
    completion: ((Result<Void, OnsidePaymentQueueRequestRestoreError>) -> Void)?)

  /// Takes a transaction out of the queue, once its product is delivered. The library never does
  /// this by itself. A second call does nothing.
  @MainActor func finishTransaction(_ transaction: OnsidePaymentTransaction)
}
