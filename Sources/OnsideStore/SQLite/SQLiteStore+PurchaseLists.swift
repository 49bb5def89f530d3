import OnsideDomain

extension SQLiteStore {
  public func listOwned(
    _ query: OwnedQuery, options: RequestOptions,
    completion: @escaping StoreCompletion<TransactionPage>
  ) {
    read(options, shard: query.profileID.low, completion) {
      (connection) throws(StoreError) -> TransactionPage in
      // One more than the page, to know whether another follows.
      let found = try connection.owned(query, limit: query.limit + 1)
      let page = found.prefix(query.limit)
      return TransactionPage(
        transactions: Array(page),
        next: found.count > page.count ? page.last.map(TransactionCursor.init(after:)) : nil)
    }
  }

  public func listBought(
    _ query: BoughtQuery, options: RequestOptions,
    completion: @escaping StoreCompletion<[TransactionRecord]>
  ) {
    read(options, shard: query.profileID.low, completion) {
      (connection) throws(StoreError) -> [TransactionRecord] in
      let statement = try connection.selectTransactions(
        """
        FROM transactions
        WHERE profile_id = ?1 AND app_id = ifnull(?2, app_id) AND state = 2
        ORDER BY created_at_ms DESC, transaction_id DESC LIMIT ?3
        """)
      statement.bind(query.profileID)
      statement.bind(query.appID)
      statement.bind(query.limit)
      return try connection.transactions(of: statement)
    }
  }

  public func deferredPurchases(
    appID: String?, limit: Int, options: RequestOptions,
    completion: @escaping StoreCompletion<[TransactionRecord]>
  ) {
    read(options, completion) { (connection) throws(StoreError) -> [TransactionRecord] in
      let statement = try connection.selectTransactions(
        """
        FROM transactions WHERE state = 4 AND app_id = ifnull(?1, app_id)
        ORDER BY created_at_ms, profile_id, transaction_id LIMIT ?2
        """)
      statement.bind(appID)
      statement.bind(max(limit, 0))
      return try connection.transactions(of: statement)
    }
  }

  public func findDeferredPurchase(
    _ id: TransactionID, options: RequestOptions,
    completion: @escaping StoreCompletion<TransactionRecord?>
  ) {
    read(options, completion) { (connection) throws(StoreError) -> TransactionRecord? in
      let statement = try connection.selectTransactions(
        """
        FROM transactions WHERE was_deferred = 1 AND transaction_id = ?
        """)
      statement.bind(id)
      return try connection.transactions(of: statement).first
    }
  }
}

extension SQLiteConnection {
  /// The last purchase of each product that is kept, behind a place, oldest first.
  fileprivate func owned(
    _ query: OwnedQuery, limit: Int
  ) throws(StoreError) -> [TransactionRecord] {
    let statement = try selectTransactions(
      """
      FROM transactions AS t
      WHERE profile_id = ?1 AND app_id = ?2 AND state = 2 AND product_kind <> 1
        AND (created_at_ms, transaction_id) > (?3, ?4)
        AND NOT EXISTS
          (SELECT 1 FROM transactions AS later
           WHERE later.profile_id = ?1 AND later.app_id = ?2 AND later.product_id = t.product_id
             AND later.state = 2 AND later.product_kind <> 1
             AND (later.created_at_ms, later.transaction_id) > (t.created_at_ms, t.transaction_id))
      ORDER BY created_at_ms, transaction_id LIMIT ?5
      """)
    statement.bind(query.profileID)
    statement.bind(query.appID)
    statement.bind(query.after?.createdAt ?? Timestamp(milliseconds: .min))
    statement.bind(query.after?.id ?? TransactionID(high: 0, low: 0))
    statement.bind(limit)
    return try transactions(of: statement)
  }
}
