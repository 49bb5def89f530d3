import OnsideDomain

extension SQLiteStore {
  public func addRevocation(
    _ revocation: Revocation, options: RequestOptions, completion: @escaping StoreCompletion<Void>
  ) {
    write(options, completion) { (connection) throws(StoreError) -> Void in
      let statement = try connection.statement(
        """
        INSERT INTO revocations (profile_id, session_id, expires_at_ms) VALUES (?, ?, ?)
        ON CONFLICT DO NOTHING
        """)
      statement.bind(revocation.profileID)
      statement.bind(revocation.sessionID)
      statement.bind(revocation.expiresAt)
      try statement.run()
    }
  }

  public func revocations(
    after position: RevocationPosition?, limit: Int, options: RequestOptions,
    completion: @escaping StoreCompletion<RevocationPage>
  ) {
    let start = position?.sequence ?? 0
    let limit = max(limit, 1)
    read(options, completion) { (connection) throws(StoreError) -> RevocationPage in
      let statement = try connection.statement(
        """
        SELECT sequence, session_id, profile_id, expires_at_ms FROM revocations
        WHERE sequence > ? ORDER BY sequence LIMIT ?
        """)
      defer { statement.reset() }
      statement.bind(start)
      statement.bind(limit)
      var found: [Revocation] = []
      var last = start
      while try statement.step() {
        last = statement.integer(0)
        found.append(
          Revocation(
            sessionID: try statement.id(1), profileID: try statement.id(2),
            expiresAt: statement.timestamp(3)))
      }
      return RevocationPage(
        revocations: found, position: RevocationPosition(sequence: last),
        hasMore: found.count == limit)
    }
  }

  public func purgeRevocations(
    expiredBefore time: Timestamp, limit: Int, options: RequestOptions,
    completion: @escaping StoreCompletion<Int>
  ) {
    write(options, completion) { (connection) throws(StoreError) -> Int in
      let statement = try connection.statement(
        """
        DELETE FROM revocations WHERE sequence IN
          (SELECT sequence FROM revocations WHERE expires_at_ms < ? LIMIT ?)
        """)
      statement.bind(time)
      statement.bind(max(limit, 0))
      try statement.run()
      return connection.changes
    }
  }

  public func tokenKeys(
    options: RequestOptions, completion: @escaping StoreCompletion<[TokenKeyRecord]>
  ) {
    read(options, completion) { (connection) throws(StoreError) -> [TokenKeyRecord] in
      let statement = try connection.statement(
        """
        SELECT key_id, secret, seals_from_ms, seals_until_ms, opens_until_ms FROM token_keys
        ORDER BY key_id
        """)
      defer { statement.reset() }
      var keys: [TokenKeyRecord] = []
      while try statement.step() {
        keys.append(
          TokenKeyRecord(
            id: try statement.known(UInt32(exactly: statement.integer(0)), 0),
            secret: Array(statement.bytes(1)), sealsFrom: statement.timestamp(2),
            sealsUntil: statement.timestamp(3), opensUntil: statement.timestamp(4)))
      }
      return keys
    }
  }

  public func addTokenKey(
    _ key: TokenKeyRecord, options: RequestOptions, completion: @escaping StoreCompletion<Bool>
  ) {
    write(options, completion) { (connection) throws(StoreError) -> Bool in
      let statement = try connection.statement(
        """
        INSERT INTO token_keys (key_id, secret, seals_from_ms, seals_until_ms, opens_until_ms)
        VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
        """)
      statement.bind(Int64(key.id))
      statement.bind(key.secret)
      statement.bind(key.sealsFrom)
      statement.bind(key.sealsUntil)
      statement.bind(key.opensUntil)
      try statement.run()
      return connection.changes == 1
    }
  }

  public func removeTokenKeys(
    opensUntilBefore time: Timestamp, options: RequestOptions,
    completion: @escaping StoreCompletion<Int>
  ) {
    write(options, completion) { (connection) throws(StoreError) -> Int in
      let statement = try connection.statement("DELETE FROM token_keys WHERE opens_until_ms < ?")
      statement.bind(time)
      try statement.run()
      return connection.changes
    }
  }
}
