import OnsideDomain

extension MemoryStore {
  public func beginPurchase(
    _ intent: PurchaseIntent, options: RequestOptions,
    completion: @escaping StoreCompletion<PurchaseBeginning>
  ) {
    let completion = eventHub.telling(intent.profileID, completion) { beginning in
      if case .new = beginning { true } else { false }
    }
    write(options, completion) { (state) throws(StoreError) -> PurchaseBeginning in
      try state.purchases.begin(intent)
    }
  }

  public func findPurchase(
    _ key: PurchaseKey, options: RequestOptions,
    completion: @escaping StoreCompletion<PurchaseBeginning?>
  ) {
    perform(options, completion) { $0.purchases.find(key) }
  }

  public func recordOutcome(
    _ outcome: PaymentOutcome, of transaction: TransactionID, profileID: ProfileID,
    at time: Timestamp, options: RequestOptions,
    completion: @escaping StoreCompletion<OutcomeRecording>
  ) {
    let completion = eventHub.telling(profileID, completion) { recording in
      if case .recorded = recording { true } else { false }
    }
    write(options, completion) {
      $0.purchases.record(outcome, of: transaction, profileID: profileID, at: time)
    }
  }

  public func unresolvedPurchases(
    after position: PurchasePosition?, limit: Int, options: RequestOptions,
    completion: @escaping StoreCompletion<[PurchaseIntent]>
  ) {
    perform(options, completion) { $0.purchases.unresolved(after: position, limit: limit) }
  }

  public func purgeIdempotencyKeys(
    createdBefore time: Timestamp, limit: Int, options: RequestOptions,
    completion: @escaping StoreCompletion<Int>
  ) {
    write(options, completion) { $0.purchases.purgeKeys(createdBefore: time, limit: limit) }
  }

  public func findTransaction(
    _ id: TransactionID, profileID: ProfileID, appID: String, options: RequestOptions,
    completion: @escaping StoreCompletion<TransactionRecord?>
  ) {
    let scope = PurchaseTable.Scope(profileID: profileID, app: ByteKey(appID))
    perform(options, completion) { $0.purchases.find(id, in: scope) }
  }

  public func listTransactions(
    _ query: TransactionQuery, options: RequestOptions,
    completion: @escaping StoreCompletion<TransactionPage>
  ) {
    perform(options, completion) { $0.purchases.list(query) }
  }

  public func finishTransaction(
    _ id: TransactionID, profileID: ProfileID, appID: String, at time: Timestamp,
    options: RequestOptions, completion: @escaping StoreCompletion<FinishResult>
  ) {
    let completion = eventHub.telling(profileID, completion) { result in
      if case .finished = result { true } else { false }
    }
    let scope = PurchaseTable.Scope(profileID: profileID, app: ByteKey(appID))
    write(options, completion) { $0.purchases.finish(id, in: scope, at: time) }
  }
}
