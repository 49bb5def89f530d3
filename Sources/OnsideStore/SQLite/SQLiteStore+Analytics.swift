import OnsideDomain

extension SQLiteStore {
  public func setAttribution(
    _ attribution: AttributionRecord, options: RequestOptions,
    completion: @escaping StoreCompletion<Void>
  ) {
    write(options, completion) { (connection) throws(StoreError) -> Void in
      let statement = try connection.statement(
        """
        INSERT INTO attributions (app_id, installation_id, referrer_url) VALUES (?, ?, ?)
        ON CONFLICT (app_id, installation_id) DO UPDATE SET referrer_url = excluded.referrer_url
        """)
      statement.bind(attribution.appID)
      statement.bind(attribution.installationID)
      statement.bind(attribution.referrerURL)
      try statement.run()
    }
  }

  public func findAttribution(
    appID: String, installationID: String, options: RequestOptions,
    completion: @escaping StoreCompletion<AttributionRecord?>
  ) {
    let shard = UInt64(installationID.utf8.last ?? 0)
    read(options, shard: shard, completion) {
      (connection) throws(StoreError) -> AttributionRecord? in
      let statement = try connection.statement(
        "SELECT referrer_url FROM attributions WHERE app_id = ? AND installation_id = ?")
      defer { statement.reset() }
      statement.bind(appID)
      statement.bind(installationID)
      guard try statement.step() else { return nil }
      return AttributionRecord(
        appID: appID, installationID: installationID, referrerURL: statement.text(0))
    }
  }

  public func addTrackedEvents(
    _ events: [TrackedEventRecord], appID: String, limit: Int, options: RequestOptions,
    completion: @escaping StoreCompletion<Int>
  ) {
    write(options, completion) { (connection) throws(StoreError) -> Int in
      var added = 0
      for event in events { added += try connection.insert(event, appID: appID) }
      if added > 0 { try connection.makeRoom(forEventsOf: appID, limit: limit) }
      return added
    }
  }

  public func trackedEvents(
    appID: String, limit: Int, options: RequestOptions,
    completion: @escaping StoreCompletion<[TrackedEventRecord]>
  ) {
    read(options, completion) { (connection) throws(StoreError) -> [TrackedEventRecord] in
      let statement = try connection.statement(
        """
        SELECT installation_id, event_id, name, parameters, occurred_at_ms, received_at_ms
        FROM tracked_events WHERE app_id = ? ORDER BY number DESC LIMIT ?
        """)
      defer { statement.reset() }
      statement.bind(appID)
      statement.bind(max(limit, 0))
      var found: [TrackedEventRecord] = []
      while try statement.step() {
        found.append(
          TrackedEventRecord(
            appID: appID, installationID: statement.text(0), eventID: statement.text(1),
            name: statement.text(2), parameters: statement.text(3),
            occurredAt: statement.timestamp(4), receivedAt: statement.timestamp(5)))
      }
      return found
    }
  }

  public func purgeTrackedEvents(
    receivedBefore time: Timestamp, limit: Int, options: RequestOptions,
    completion: @escaping StoreCompletion<Int>
  ) {
    write(options, completion) { (connection) throws(StoreError) -> Int in
      let statement = try connection.statement(
        """
        DELETE FROM tracked_events WHERE (app_id, number) IN
          (SELECT app_id, number FROM tracked_events WHERE received_at_ms < ?
           ORDER BY received_at_ms LIMIT ?)
        """)
      statement.bind(time)
      statement.bind(max(limit, 0))
      try statement.run()
      return connection.changes
    }
  }
}

extension SQLiteConnection {
  /// - Returns: 1 for a new event, else 0.
  fileprivate func insert(
    _ event: TrackedEventRecord, appID: String
  ) throws(StoreError) -> Int {
    let statement = try statement(
      """
      INSERT INTO tracked_events (app_id, number, installation_id, event_id, name, parameters,
        occurred_at_ms, received_at_ms)
      VALUES (?1, 1 + ifnull((SELECT max(number) FROM tracked_events WHERE app_id = ?1), 0),
        ?2, ?3, ?4, ?5, ?6, ?7)
      ON CONFLICT DO NOTHING
      """)
    statement.bind(appID)
    statement.bind(event.installationID)
    statement.bind(event.eventID)
    statement.bind(event.name)
    statement.bind(event.parameters)
    statement.bind(event.occurredAt)
    statement.bind(event.receivedAt)
    try statement.run()
    return changes
  }

  /// Numbers have no gaps but at the front, so that no row has to be counted.
  fileprivate func makeRoom(forEventsOf appID: String, limit: Int) throws(StoreError) {
    let statement = try statement(
      """
      DELETE FROM tracked_events WHERE app_id = ?1 AND number <=
        (SELECT max(number) FROM tracked_events WHERE app_id = ?1) - ?2
      """)
    statement.bind(appID)
    statement.bind(max(limit, 1))
    try statement.run()
  }
}
