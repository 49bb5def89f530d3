import OnsideDomain

extension SQLiteStore {
  public func beginPurchase(
    _ intent: PurchaseIntent, options: RequestOptions,
    completion: @escaping StoreCompletion<PurchaseBeginning>
  ) {
    let completion = eventHub.telling(intent.profileID, completion) { beginning in
      if case .new = beginning { true } else { false }
    }
    write(options, completion) { (connection) throws(StoreError) -> PurchaseBeginning in
      // One statement decides about the key and about ownership; what was there is read after it.
      if try connection.insert(intent) { return .new(intent.transaction) }
      if let earlier = try connection.findPurchase(intent.key) { return earlier }
      if intent.isExclusive, let earlier = try connection.findOwned(by: intent) {
        return .alreadyOwned(earlier)
      }
      throw .transactionIDTaken(intent.transactionID)
    }
  }

  public func findPurchase(
    _ key: PurchaseKey, options: RequestOptions,
    completion: @escaping StoreCompletion<PurchaseBeginning?>
  ) {
    read(options, shard: key.profileID.low, completion) {
      (connection) throws(StoreError) -> PurchaseBeginning? in
      try connection.findPurchase(key)
    }
  }

  public func recordOutcome(
    _ outcome: PaymentOutcome, of transaction: TransactionID, profileID: ProfileID,
    at time: Timestamp, options: RequestOptions,
    completion: @escaping StoreCompletion<OutcomeRecording>
  ) {
    let completion = eventHub.telling(profileID, completion) { recording in
      if case .recorded = recording { true } else { false }
    }
    write(options, completion) { (connection) throws(StoreError) -> OutcomeRecording in
      guard
        var found = try connection.findTransaction(transaction, profileID: profileID)
      else { return .notFound }
      switch found.lifecycle.apply(outcome) {
      case .unchanged: return .unchanged(found)
      case .refused: return .refused(found)
      case .changed(from: let previous, to: _):
        found.updatedAt = time
        try connection.update(found, from: previous)
        return .recorded(found)
      }
    }
  }

  public func unresolvedPurchases(
    after position: PurchasePosition?, limit: Int, options: RequestOptions,
    completion: @escaping StoreCompletion<[PurchaseIntent]>
  ) {
    read(options, completion) { (connection) throws(StoreError) -> [PurchaseIntent] in
      let statement = try connection.selectTransactions(
        """
        , is_exclusive, payment_token, idempotency_key, fingerprint
        FROM transactions
        WHERE state = 1 AND (created_at_ms, profile_id, transaction_id) > (?, ?, ?)
        ORDER BY created_at_ms, profile_id, transaction_id LIMIT ?
        """)
      defer { statement.reset() }
      statement.bind(position?.createdAt ?? Timestamp(milliseconds: .min))
      statement.bind(position?.profileID ?? ProfileID(high: 0, low: 0))
      statement.bind(position?.transactionID ?? TransactionID(high: 0, low: 0))
      statement.bind(max(limit, 0))
      var found: [PurchaseIntent] = []
      while try statement.step() { found.append(try statement.intent()) }
      return found
    }
  }

  public func purgeIdempotencyKeys(
    createdBefore time: Timestamp, limit: Int, options: RequestOptions,
    completion: @escaping StoreCompletion<Int>
  ) {
    write(options, completion) { (connection) throws(StoreError) -> Int in
      let statement = try connection.statement(
        """
        UPDATE transactions SET idempotency_key = NULL, fingerprint = NULL
        WHERE (profile_id, transaction_id) IN
          (SELECT profile_id, transaction_id FROM transactions
           WHERE idempotency_key IS NOT NULL AND created_at_ms < ? AND state <> 1
           ORDER BY created_at_ms LIMIT ?)
        """)
      statement.bind(time)
      statement.bind(max(limit, 0))
      try statement.run()
      return connection.changes
    }
  }
}
