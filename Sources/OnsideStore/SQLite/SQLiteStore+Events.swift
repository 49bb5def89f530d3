import OnsideDomain

extension SQLiteStore {
  public func profileEvents(
    of profileID: ProfileID, after position: Int64?, limit: Int, options: RequestOptions,
    completion: @escaping StoreCompletion<ProfileEventReading>
  ) {
    let limit = min(max(limit, 1), 500)
    read(options, shard: profileID.low, completion) {
      (connection) throws(StoreError) -> ProfileEventReading in
      let last = try connection.lastEvent(of: profileID)
      guard let position else {
        return .page(ProfileEventPage(events: [], position: last, hasMore: false))
      }
      let found =
        position < last
        ? try connection.events(of: profileID, after: position, limit: limit + 1) : []
      return ProfileEventReading(found, after: position, last: last, limit: limit)
    }
  }

  public func purgeProfileEvents(
    before time: Timestamp, limit: Int, options: RequestOptions,
    completion: @escaping StoreCompletion<Int>
  ) {
    write(options, completion) { (connection) throws(StoreError) -> Int in
      let statement = try connection.statement(
        """
        DELETE FROM profile_events WHERE (profile_id, sequence) IN
          (SELECT profile_id, sequence FROM profile_events WHERE at_ms < ? ORDER BY at_ms LIMIT ?)
        """)
      statement.bind(time)
      statement.bind(max(limit, 0))
      try statement.run()
      return connection.changes
    }
  }
}

extension SQLiteConnection {
  fileprivate func lastEvent(of profileID: ProfileID) throws(StoreError) -> Int64 {
    let statement = try statement(
      "SELECT last_sequence FROM profile_event_heads WHERE profile_id = ?")
    defer { statement.reset() }
    statement.bind(profileID)
    return try statement.step() ? statement.integer(0) : 0
  }

  /// What can change of a transaction comes from the event, the rest from the transaction.
  fileprivate func events(
    of profileID: ProfileID, after position: Int64, limit: Int
  ) throws(StoreError) -> [ProfileEvent] {
    let statement = try statement(
      """
      SELECT e.profile_id, e.transaction_id, t.original_id, t.app_id, t.product_id,
        t.product_kind, e.state, e.failure_reason, e.is_finished, t.minor_units, t.currency,
        ifnull(e.storefront_id, t.storefront_id), ifnull(e.country, t.country),
        t.app_account_token, t.created_at_ms, e.at_ms, t.payment_method, t.card_brand,
        t.card_last_four, e.sequence
      FROM profile_events AS e LEFT JOIN transactions AS t
        ON t.profile_id = e.profile_id AND t.transaction_id = e.transaction_id
      WHERE e.profile_id = ? AND e.sequence > ? ORDER BY e.sequence LIMIT ?
      """)
    defer { statement.reset() }
    statement.bind(profileID)
    statement.bind(position)
    statement.bind(limit)
    var found: [ProfileEvent] = []
    while try statement.step() {
      let change: ProfileEvent.Change =
        statement.isNull(1)
        ? .storefront(try statement.storefront(11, 12)) : .transaction(try statement.transaction())
      found.append(ProfileEvent(sequence: statement.integer(19), change: change))
    }
    return found
  }
}
