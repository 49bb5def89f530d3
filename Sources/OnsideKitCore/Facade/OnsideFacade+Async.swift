/// The modern face of the same interface: no delegates and no completions. An addition to the SDK's
/// interface; the names differ from the older functions', so that code that calls those without
/// `await` in an asynchronous function still means them.
extension OnsideFacade {
  /// Signs the user in: `requestLogin`, to be awaited.
  public static func logIn() async throws(OnsideLoginError) {
    try await Runtime.shared.requestLogin().get()
  }

  /// Loads products.
  ///
  /// - Parameter identifiers: the marketplace's; in any order, duplicates count once.
  public static func products(
    for identifiers: [String]
  ) async throws(OnsideProductsRequestError) -> OnsideProductsResponse {
    try await Runtime.shared.instance.products(for: identifiers).get()
  }

  /// Loads the user's purchases, signed for the app's backend. It doesn't start a login.
  public static func signedInAppsHistory() async throws(OnsideSignedInAppsHistoryRequestError)
    -> OnsideSignedInAppsHistory
  {
    try await Runtime.shared.instance.history().get()
  }

  /// Shows the user's saved cards until the user is done.
  public static func managePaymentMethods() async throws(OnsidePaymentMethodsManagerError) {
    try await Runtime.shared.managePaymentMethods().get()
  }

  /// Where this installation of the app came from.
  public static func attributionMetadata() async throws(OnsideAttributionMetadataError)
    -> OnsideAttributionMetadata
  {
    try await Runtime.shared.attribution().get()
  }

  /// The transactions as they change, beginning with those that aren't finished.
  ///
  /// The queue works as long as the sequence is alive, as it does with an observer. Each sequence
  /// is for one iteration, and ends with `shutDown()`, or when its task is cancelled.
  public static var transactionUpdates: OnsideTransactionUpdates {
    OnsideTransactionUpdates(Runtime.shared.queue)
  }
}

extension OnsidePaymentQueue {
  /// Puts a payment into the queue; returns when it was taken. What becomes of it is told to
  /// observers and `transactionUpdates`.
  @MainActor public func add(
    _ payment: OnsidePayment
  ) async throws(OnsidePaymentQueueAddProductError) {
    let result = await withCheckedContinuation { continuation in
      add(payment) { continuation.resume(returning: $0) }
    }
    try result.get()
  }

  /// Asks for what the user owns; returns when the restore has started.
  @MainActor public func restoreCompletedTransactions()
    async throws(OnsidePaymentQueueRequestRestoreError)
  {
    let result = await withCheckedContinuation { continuation in
      restoreCompletedTransactions { continuation.resume(returning: $0) }
    }
    try result.get()
  }
}
