import OnsideDomain

/// The store's methods about purchases for callers that can wait.
extension Store {
  /// Stores an intent unless its idempotency key is taken or its product is owned.
  public func beginPurchase(
    _ intent: PurchaseIntent, options: RequestOptions = RequestOptions()
  ) async throws(StoreError) -> PurchaseBeginning {
    try await answer { beginPurchase(intent, options: options, completion: $0) }
  }

  /// What beginning a purchase with this key would find of earlier requests; nil: nothing.
  public func findPurchase(
    _ key: PurchaseKey, options: RequestOptions = RequestOptions()
  ) async throws(StoreError) -> PurchaseBeginning? {
    try await answer { findPurchase(key, options: options, completion: $0) }
  }

  /// Records what the processor decided.
  public func recordOutcome(
    _ outcome: PaymentOutcome, of transaction: TransactionID, profileID: ProfileID,
    at time: Timestamp, options: RequestOptions = RequestOptions()
  ) async throws(StoreError) -> OutcomeRecording {
    try await answer {
      recordOutcome(
        outcome, of: transaction, profileID: profileID, at: time, options: options,
        completion: $0)
    }
  }

  /// Intents without an outcome, oldest first.
  public func unresolvedPurchases(
    after position: PurchasePosition? = nil, limit: Int = 1_000,
    options: RequestOptions = RequestOptions()
  ) async throws(StoreError) -> [PurchaseIntent] {
    try await answer {
      unresolvedPurchases(after: position, limit: limit, options: options, completion: $0)
    }
  }

  /// Forgets idempotency keys of purchases made before `time`.
  public func purgeIdempotencyKeys(
    createdBefore time: Timestamp, limit: Int = 1_000, options: RequestOptions = RequestOptions()
  ) async throws(StoreError) -> Int {
    try await answer {
      purgeIdempotencyKeys(createdBefore: time, limit: limit, options: options, completion: $0)
    }
  }

  /// Finds a transaction of a profile in an app.
  public func findTransaction(
    _ id: TransactionID, profileID: ProfileID, appID: String,
    options: RequestOptions = RequestOptions()
  ) async throws(StoreError) -> TransactionRecord? {
    try await answer {
      findTransaction(id, profileID: profileID, appID: appID, options: options, completion: $0)
    }
  }

  /// Lists transactions: the unfinished first, oldest first; then the finished, newest first.
  public func listTransactions(
    _ query: TransactionQuery, options: RequestOptions = RequestOptions()
  ) async throws(StoreError) -> TransactionPage {
    try await answer { listTransactions(query, options: options, completion: $0) }
  }

  /// Marks a transaction as delivered.
  public func finishTransaction(
    _ id: TransactionID, profileID: ProfileID, appID: String, at time: Timestamp,
    options: RequestOptions = RequestOptions()
  ) async throws(StoreError) -> FinishResult {
    try await answer {
      finishTransaction(
        id, profileID: profileID, appID: appID, at: time, options: options, completion: $0)
    }
  }
}
