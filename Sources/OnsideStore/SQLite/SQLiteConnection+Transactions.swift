import OnsideDomain

/// The statements about transactions. Those that read them have the columns in the order that
/// `SQLiteStatement.transaction()` expects.
extension SQLiteConnection {
  /// Inserts an intent unless a unique key is taken; answers whether it was inserted.
  func insert(_ intent: PurchaseIntent) throws(StoreError) -> Bool {
    let statement = try statement(
      """
      INSERT INTO transactions
        (profile_id, transaction_id, original_id, app_id, product_id, product_kind, is_exclusive,
         state, is_finished, minor_units, currency, storefront_id, country, app_account_token,
         created_at_ms, updated_at_ms, payment_method, payment_token, idempotency_key, fingerprint,
         card_brand, card_last_four)
      VALUES (?1, ?2, ?2, ?3, ?4, ?5, ?6, 1, 0, ?7, ?8, ?9, ?10, ?11, ?12, ?12, ?13, ?14, ?15, ?16,
        ?17, ?18)
      ON CONFLICT DO NOTHING
      """)
    statement.bind(intent.profileID)
    statement.bind(intent.transactionID)
    statement.bind(intent.appID)
    statement.bind(intent.productIdentifier)
    statement.bind(Int(intent.productKind.rawValue))
    statement.bind(intent.isExclusive)
    statement.bind(intent.price.minorUnits)
    statement.bind(intent.price.currency.code)
    statement.bind(intent.storefront.id)
    statement.bind(intent.storefront.country.alpha2)
    statement.bind(intent.appAccountToken)
    statement.bind(intent.createdAt)
    statement.bind(Int(intent.payment.method.rawValue))
    statement.bind(intent.paymentToken)
    statement.bind(intent.idempotencyKey)
    statement.bind(intent.fingerprint)
    if let card = intent.payment.card {
      statement.bind(Int(card.brand.rawValue))
      statement.bind(card.lastFour)
    }
    try statement.run()
    return changes == 1
  }

  /// What a request is told whose key was used before; nil: it wasn't.
  func findPurchase(
    _ key: PurchaseKey
  ) throws(StoreError) -> PurchaseBeginning? {
    let statement = try selectTransactions(
      """
      , fingerprint FROM transactions WHERE profile_id = ? AND app_id = ? AND idempotency_key = ?
      """)
    defer { statement.reset() }
    statement.bind(key.profileID)
    statement.bind(key.appID)
    statement.bind(key.idempotencyKey)
    guard try statement.step() else { return nil }
    let isSame = statement.bytes(19).elementsEqual(key.fingerprint)
    return PurchaseBeginning(repeating: try statement.transaction(), isSame: isSame)
  }

  /// The purchase that gave the profile the intent's product, or that is about to.
  func findOwned(by intent: PurchaseIntent) throws(StoreError) -> TransactionRecord? {
    let statement = try selectTransactions(
      """
      FROM transactions
      WHERE profile_id = ? AND app_id = ? AND product_id = ? AND is_exclusive = 1 AND state <> 3
      """)
    defer { statement.reset() }
    statement.bind(intent.profileID)
    statement.bind(intent.appID)
    statement.bind(intent.productIdentifier)
    return try statement.step() ? try statement.transaction() : nil
  }

  /// A transaction of a profile; of an app if one is given.
  func findTransaction(
    _ id: TransactionID, profileID: ProfileID, appID: String? = nil
  ) throws(StoreError) -> TransactionRecord? {
    let statement = try selectTransactions(
      """
      FROM transactions
      WHERE profile_id = ?1 AND transaction_id = ?2 AND app_id = ifnull(?3, app_id)
      """)
    defer { statement.reset() }
    statement.bind(profileID)
    statement.bind(id)
    statement.bind(appID)
    return try statement.step() ? try statement.transaction() : nil
  }

  /// Writes what can change of a transaction, if it is still in the state that was read.
  func update(
    _ transaction: TransactionRecord, from previous: PurchaseState
  ) throws(StoreError) {
    let statement = try statement(
      """
      UPDATE transactions SET state = ?1, failure_reason = ?2, is_finished = ?3,
        updated_at_ms = ?4, was_deferred = CASE WHEN ?1 = 4 THEN 1 ELSE was_deferred END,
        payment_token = CASE WHEN ?1 IN (2, 3) THEN NULL ELSE payment_token END
      WHERE profile_id = ?5 AND transaction_id = ?6 AND state = ?7
      """)
    let lifecycle = transaction.lifecycle
    statement.bind(Int(lifecycle.state.rawValue))
    if let reason = lifecycle.failureReason {
      statement.bind(Int(reason.rawValue))
    } else {
      statement.bindNull()
    }
    statement.bind(lifecycle.isFinished)
    statement.bind(transaction.updatedAt)
    statement.bind(transaction.profileID)
    statement.bind(transaction.id)
    statement.bind(Int(previous.rawValue))
    try statement.run()
    guard changes == 1 else {
      throw StoreError(
        .requestFailed, "the transaction \(transaction.id) changed meanwhile: try again")
    }
  }

  /// Unfinished transactions behind a place, oldest first.
  func listUnfinished(
    _ query: TransactionQuery, after place: TransactionCursor, limit: Int
  ) throws(StoreError) -> [TransactionRecord] {
    let statement = try selectTransactions(
      """
      FROM transactions
      WHERE profile_id = ? AND app_id = ? AND is_finished = 0
        AND (created_at_ms, transaction_id) > (?, ?)
      ORDER BY created_at_ms, transaction_id LIMIT ?
      """)
    return try rows(of: statement, query, after: place, limit: limit)
  }

  /// Finished transactions behind a place, newest first.
  func listFinished(
    _ query: TransactionQuery, after place: TransactionCursor, limit: Int
  ) throws(StoreError) -> [TransactionRecord] {
    let statement = try selectTransactions(
      """
      FROM transactions
      WHERE profile_id = ? AND app_id = ? AND is_finished = 1
        AND (created_at_ms, transaction_id) < (?, ?)
      ORDER BY created_at_ms DESC, transaction_id DESC LIMIT ?
      """)
    return try rows(of: statement, query, after: place, limit: limit)
  }

  /// The rest of a statement's rows.
  func transactions(of statement: SQLiteStatement) throws(StoreError) -> [TransactionRecord] {
    defer { statement.reset() }
    var found: [TransactionRecord] = []
    while try statement.step() { found.append(try statement.transaction()) }
    return found
  }

  private func rows(
    of statement: SQLiteStatement, _ query: TransactionQuery, after place: TransactionCursor,
    limit: Int
  ) throws(StoreError) -> [TransactionRecord] {
    statement.bind(query.profileID)
    statement.bind(query.appID)
    statement.bind(place.createdAt)
    statement.bind(place.id)
    statement.bind(limit)
    return try transactions(of: statement)
  }
}
