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
      try connection.findProfile(id)
    }
  }

  public func findProfile(
    phoneNumber: PhoneNumber, options: RequestOptions,
    completion: @escaping StoreCompletion<ProfileRecord?>
  ) {
    read(options, completion) { (connection) throws(StoreError) -> ProfileRecord? in
      try connection.findProfile(phoneNumber: phoneNumber)
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
          (profile_id, kind, app_id, external_user_id, storefront_id, country, created_at_ms,
           phone_number)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
        """)
      statement.bind(proposed.id)
      statement.bind(Int(proposed.kind.rawValue))
      statement.bind(proposed.appID ?? "")
      statement.bind(proposed.externalUserID)
      statement.bind(proposed.storefront.id)
      statement.bind(proposed.storefront.country.alpha2)
      statement.bind(proposed.createdAt)
      statement.bind(proposed.phoneNumber?.e164)
      try statement.run()
      if connection.changes == 1 { return ProfileCreation(profile: proposed, created: true) }
      guard let found = try connection.findProfile(like: proposed) else {
        throw .profileIDTaken(proposed.id)
      }
      return ProfileCreation(profile: found, created: false)
    }
  }

  public func setStorefront(
    _ storefront: Storefront, of id: ProfileID, at time: Timestamp, options: RequestOptions,
    completion: @escaping StoreCompletion<ProfileRecord?>
  ) {
    let completion = eventHub.telling(id, completion) { $0 != nil }
    write(options, completion) { (connection) throws(StoreError) -> ProfileRecord? in
      guard let found = try connection.findProfile(id) else { return nil }
      let statement = try connection.statement(
        """
        UPDATE profiles SET storefront_id = ?, country = ?, storefront_set_at_ms = ?
        WHERE profile_id = ?
        """)
      statement.bind(storefront.id)
      statement.bind(storefront.country.alpha2)
      statement.bind(time)
      statement.bind(id)
      try statement.run()
      return found.moved(to: storefront)
    }
  }

  public func storefrontChanges(
    since time: Timestamp, options: RequestOptions,
    completion: @escaping StoreCompletion<[StorefrontChange]>
  ) {
    read(options, completion) { (connection) throws(StoreError) -> [StorefrontChange] in
      let statement = try connection.statement(
        """
        SELECT profile_id, storefront_id, country, storefront_set_at_ms FROM profiles
        WHERE storefront_set_at_ms >= ? ORDER BY storefront_set_at_ms, profile_id
        """)
      defer { statement.reset() }
      statement.bind(time)
      var found: [StorefrontChange] = []
      while try statement.step() {
        found.append(
          StorefrontChange(
            profileID: try statement.id(0), storefront: try statement.storefront(1, 2),
            changedAt: statement.timestamp(3)))
      }
      return found
    }
  }
}

extension SQLiteConnection {
  /// A query for the columns of `SQLiteStatement.profile()`, with what follows them in it.
  private func selectProfiles(_ rest: StaticString) throws(StoreError) -> SQLiteStatement {
    try statement(
      rest,
      behind: """
        SELECT profile_id, kind, app_id, external_user_id, storefront_id, country, created_at_ms,
          phone_number

        """)
  }

  fileprivate func findProfile(_ id: ProfileID) throws(StoreError) -> ProfileRecord? {
    let statement = try selectProfiles("FROM profiles WHERE profile_id = ?")
    defer { statement.reset() }
    statement.bind(id)
    return try statement.step() ? try statement.profile() : nil
  }

  /// The profile that keeps a proposed one from being made; nil: its identifier is taken.
  fileprivate func findProfile(like proposed: ProfileRecord) throws(StoreError) -> ProfileRecord? {
    if let app = proposed.appID, let user = proposed.externalUserID {
      return try findProfile(appID: app, externalUserID: user)
    }
    return try proposed.phoneNumber.flatMap { number throws(StoreError) in
      try findProfile(phoneNumber: number)
    }
  }

  fileprivate func findProfile(
    phoneNumber: PhoneNumber
  ) throws(StoreError) -> ProfileRecord? {
    let statement = try selectProfiles("FROM profiles WHERE phone_number = ?")
    defer { statement.reset() }
    statement.bind(phoneNumber.e164)
    return try statement.step() ? try statement.profile() : nil
  }

  fileprivate func findProfile(
    appID: String, externalUserID: String
  ) throws(StoreError) -> ProfileRecord? {
    let statement = try selectProfiles("FROM profiles WHERE app_id = ? AND external_user_id = ?")
    defer { statement.reset() }
    statement.bind(appID)
    statement.bind(externalUserID)
    return try statement.step() ? try statement.profile() : nil
  }
}

extension SQLiteStatement {
  /// The profile of a row with the columns of `selectProfiles`, in their order.
  fileprivate func profile() throws(StoreError) -> ProfileRecord {
    let number = optionalText(7)
    return ProfileRecord(
      id: try id(0), kind: try known(ProfileKind(rawValue: small(1)), 1),
      appID: text(2).isEmpty ? nil : text(2), externalUserID: optionalText(3),
      phoneNumber: try number.map { text throws(StoreError) in
        try known(PhoneNumber(e164: text), 7)
      }, storefront: try storefront(4, 5), createdAt: timestamp(6))
  }

  /// A number that fits one byte; 0, which no enumeration has, for any other.
  func small(_ column: Int32) -> UInt8 { UInt8(exactly: integer(column)) ?? 0 }

  /// A storefront whose identifier and country are in these columns.
  func storefront(_ id: Int32, _ country: Int32) throws(StoreError) -> Storefront {
    Storefront(id: text(id), country: try known(CountryCode(alpha2: text(country)), country))
  }
}
