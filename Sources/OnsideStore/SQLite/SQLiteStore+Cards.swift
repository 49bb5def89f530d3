import OnsideDomain

extension SQLiteStore {
  public func addCard(
    _ card: CardRecord, limit: Int, options: RequestOptions,
    completion: @escaping StoreCompletion<CardAddition>
  ) {
    write(options, completion) { (connection) throws(StoreError) -> CardAddition in
      if try connection.insert(card, limit: limit) {
        var added = card
        added.isDefault = try connection.cards(of: card.profileID).count == 1
        return .added(added)
      }
      let kept = try connection.cards(of: card.profileID)
      if let known = kept.first(where: { $0.token == card.token }) { return .existing(known) }
      return .tooMany
    }
  }

  public func cards(
    of profileID: ProfileID, options: RequestOptions,
    completion: @escaping StoreCompletion<[CardRecord]>
  ) {
    read(options, shard: profileID.low, completion) {
      (connection) throws(StoreError) -> [CardRecord] in
      try connection.cards(of: profileID)
    }
  }

  public func removeCard(
    _ id: CardID, of profileID: ProfileID, options: RequestOptions,
    completion: @escaping StoreCompletion<Void>
  ) {
    write(options, completion) { (connection) throws(StoreError) -> Void in
      let statement = try connection.statement(
        "DELETE FROM cards WHERE profile_id = ? AND card_id = ?")
      statement.bind(profileID)
      statement.bind(id)
      try statement.run()
    }
  }

  public func setDefaultCard(
    _ id: CardID, of profileID: ProfileID, options: RequestOptions,
    completion: @escaping StoreCompletion<CardRecord?>
  ) {
    write(options, completion) { (connection) throws(StoreError) -> CardRecord? in
      let statement = try connection.statement(
        """
        UPDATE cards SET is_default = (card_id = ?2)
        WHERE profile_id = ?1 AND is_default <> (card_id = ?2)
          AND EXISTS (SELECT 1 FROM cards WHERE profile_id = ?1 AND card_id = ?2)
        """)
      statement.bind(profileID)
      statement.bind(id)
      try statement.run()
      return try connection.cards(of: profileID).first { $0.id == id }
    }
  }
}

extension SQLiteConnection {
  /// Inserts a card unless the profile has it, or enough others; answers whether it was inserted.
  fileprivate func insert(_ card: CardRecord, limit: Int) throws(StoreError) -> Bool {
    let statement = try statement(
      """
      INSERT INTO cards
        (profile_id, card_id, brand, last_four, expiry_month, expiry_year, token, created_at_ms,
         is_default)
      SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8,
        NOT EXISTS (SELECT 1 FROM cards WHERE profile_id = ?1)
      WHERE (SELECT count(*) FROM cards WHERE profile_id = ?1) < ?9
      ON CONFLICT DO NOTHING
      """)
    statement.bind(card.profileID)
    statement.bind(card.id)
    statement.bind(Int(card.label.brand.rawValue))
    statement.bind(card.label.lastFour)
    statement.bind(card.expiry.month)
    statement.bind(card.expiry.year)
    statement.bind(card.token)
    statement.bind(card.createdAt)
    statement.bind(limit)
    try statement.run()
    return changes == 1
  }

  fileprivate func cards(of profileID: ProfileID) throws(StoreError) -> [CardRecord] {
    let statement = try statement(
      """
      SELECT card_id, brand, last_four, expiry_month, expiry_year, token, created_at_ms, is_default
      FROM cards WHERE profile_id = ? ORDER BY created_at_ms, card_id
      """)
    defer { statement.reset() }
    statement.bind(profileID)
    var found: [CardRecord] = []
    while try statement.step() {
      let brand = try statement.known(CardBrand(rawValue: statement.small(1)), 1)
      let expiry = CardExpiry(
        month: Int(statement.integer(3)), year: Int(statement.integer(4)))
      found.append(
        CardRecord(
          id: try statement.id(0), profileID: profileID,
          label: CardLabel(brand: brand, lastFour: statement.text(2)),
          expiry: try statement.known(expiry, 3), token: statement.text(5),
          createdAt: statement.timestamp(6), isDefault: statement.integer(7) == 1))
    }
    return found
  }
}
