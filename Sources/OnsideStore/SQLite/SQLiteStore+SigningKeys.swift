import OnsideDomain

extension SQLiteStore {
  public func signingKeys(
    options: RequestOptions, completion: @escaping StoreCompletion<[SigningKeyRecord]>
  ) {
    read(options, completion) { (connection) throws(StoreError) -> [SigningKeyRecord] in
      let statement = try connection.statement(
        "SELECT number, secret, public_point, created_at_ms FROM signing_keys ORDER BY number")
      defer { statement.reset() }
      var keys: [SigningKeyRecord] = []
      while try statement.step() {
        keys.append(
          SigningKeyRecord(
            number: try statement.known(UInt32(exactly: statement.integer(0)), 0),
            secret: Array(statement.bytes(1)), publicPoint: Array(statement.bytes(2)),
            createdAt: statement.timestamp(3)))
      }
      return keys
    }
  }

  public func addSigningKey(
    _ key: SigningKeyRecord, options: RequestOptions, completion: @escaping StoreCompletion<Bool>
  ) {
    write(options, completion) { (connection) throws(StoreError) -> Bool in
      let statement = try connection.statement(
        """
        INSERT INTO signing_keys (number, secret, public_point, created_at_ms) VALUES (?, ?, ?, ?)
        ON CONFLICT DO NOTHING
        """)
      statement.bind(Int64(key.number))
      statement.bind(key.secret)
      statement.bind(key.publicPoint)
      statement.bind(key.createdAt)
      try statement.run()
      return connection.changes == 1
    }
  }
}
