import OnsideDomain

extension SQLiteStore {
  public func findProfile(
    appID: String, externalUserID: String, options: RequestOptions,
    completion: @escaping StoreCompletion<ProfileRecord?>
  ) {
    let shard = UInt64(externalUserID.utf8.last ?? 0)
    read(options, shard: shard, completion) { (connection) throws(StoreError) -> ProfileRecord? in
      try connection.findProfile(appID: appID, externalUserID: externalUserID)
    }
  }

  public func findProfile(
    _ id: ProfileID, options: RequestOptions,
    completion: @escaping StoreCompletion<ProfileRecord?>
  ) {
    read(options, shard: id.low, completion) { (connection) throws(StoreError) -> ProfileRecord? in
      let statement = try connection.statement(
        """
        SELECT profile_id, kind, app_id, external_user_id, storefront_id, country, created_at_ms
        FROM profiles WHERE profile_id = ?
        """)
      defer { statement.reset() }
      statement.bind(id)
      return try statement.step() ? try statement.profile() : nil
    }
  }

  public func findOrCreateProfile(
    _ proposed: ProfileRecord, options: RequestOptions,
    completion: @escaping StoreCompletion<ProfileCreation>
  ) {
    write(options, completion) { (connection) throws(StoreError) -> ProfileCreation in
      // An existing profile changes no page, so that it costs no sync.
      let statement = try connection.statement(
        """
        INSERT INTO profiles
          (profile_id, kind, app_id, external_user_id, storefront_id, country, created_at_ms)
        VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
        """)
      statement.bind(proposed.id)
      statement.bind(Int(proposed.kind.rawValue))
      statement.bind(proposed.appID)
      statement.bind(proposed.externalUserID)
      statement.bind(proposed.storefront.id)
      statement.bind(proposed.storefront.country.alpha2)
      statement.bind(proposed.createdAt)
      try statement.run()
      if connection.changes == 1 { return ProfileCreation(profile: proposed, created: true) }
      guard let user = proposed.externalUserID,
        let found = try connection.findProfile(appID: proposed.appID, externalUserID: user)
      else { throw .profileIDTaken(proposed.id) }
      return ProfileCreation(profile: found, created: false)
    }
  }
}

extension SQLiteConnection {
  fileprivate func findProfile(
    appID: String, externalUserID: String
  ) throws(StoreError) -> ProfileRecord? {
    let statement = try statement(
      """
      SELECT profile_id, kind, app_id, external_user_id, storefront_id, country, created_at_ms
      FROM profiles WHERE app_id = ? AND external_user_id = ?
      """)
    defer { statement.reset() }
    statement.bind(appID)
    statement.bind(externalUserID)
    return try statement.step() ? try statement.profile() : nil
  }
}

extension SQLiteStatement {
  /// The profile of a row that has its columns in the order of the queries above.
  fileprivate func profile() throws(StoreError) -> ProfileRecord {
    ProfileRecord(
      id: try id(0), kind: try known(ProfileKind(rawValue: small(1)), 1), appID: text(2),
      externalUserID: optionalText(3), storefront: try storefront(4, 5), createdAt: timestamp(6))
  }

  /// A number that fits one byte; 0, which no enumeration has, for any other.
  func small(_ column: Int32) -> UInt8 { UInt8(exactly: integer(column)) ?? 0 }

  /// A storefront whose identifier and country are in these columns.
  func storefront(_ id: Int32, _ country: Int32) throws(StoreError) -> Storefront {
    Storefront(id: text(id), country: try known(CountryCode(alpha2: text(country)), country))
  }
}
