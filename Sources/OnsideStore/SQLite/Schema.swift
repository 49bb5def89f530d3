/// The tables, as steps from one version to the next.
///
/// Rules for all of them, so that the same schema serves a database that several servers share:
/// each unique key begins with the column that data would be split by (the profile, or app and
/// external user), and each create is one statement.
struct Schema: Sendable {
  /// Element `i` leads from version `i` to version `i + 1`. Released steps never change.
  let steps: [String]

  /// The version that this release reads and writes.
  var version: Int64 { Int64(steps.count) }

  /// "Onsd": tells a store from other SQLite databases.
  static let applicationID: Int64 = 0x4f6e_7364

  static let current = Schema(
    steps: [version1, payments, analytics, regularProfiles, storefrontEvents])

  private static let version1 = """
    CREATE TABLE profiles (
      profile_id BLOB NOT NULL PRIMARY KEY,
      app_id TEXT NOT NULL,
      external_user_id TEXT,
      kind INTEGER NOT NULL,
      storefront_id TEXT NOT NULL,
      country TEXT NOT NULL,
      created_at_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE UNIQUE INDEX profiles_by_user ON profiles (app_id, external_user_id);

    CREATE TABLE revocations (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT,
      profile_id BLOB NOT NULL,
      session_id BLOB NOT NULL,
      expires_at_ms INTEGER NOT NULL,
      UNIQUE (profile_id, session_id)
    ) STRICT;

    CREATE INDEX revocations_by_expiry ON revocations (expires_at_ms);

    CREATE TABLE token_keys (
      key_id INTEGER NOT NULL PRIMARY KEY,
      secret BLOB NOT NULL,
      seals_from_ms INTEGER NOT NULL,
      seals_until_ms INTEGER NOT NULL,
      opens_until_ms INTEGER NOT NULL
    ) STRICT;

    -- payment_token: until the outcome is final. idempotency_key, fingerprint: for 30 days.
    CREATE TABLE transactions (
      profile_id BLOB NOT NULL,
      transaction_id BLOB NOT NULL,
      original_id BLOB NOT NULL,
      app_id TEXT NOT NULL,
      product_id TEXT NOT NULL,
      product_kind INTEGER NOT NULL,
      is_exclusive INTEGER NOT NULL,
      state INTEGER NOT NULL,
      failure_reason INTEGER,
      is_finished INTEGER NOT NULL,
      minor_units INTEGER NOT NULL,
      currency TEXT NOT NULL,
      storefront_id TEXT NOT NULL,
      country TEXT NOT NULL,
      app_account_token TEXT,
      created_at_ms INTEGER NOT NULL,
      updated_at_ms INTEGER NOT NULL,
      payment_method INTEGER NOT NULL,
      payment_token TEXT,
      idempotency_key TEXT,
      fingerprint BLOB,
      PRIMARY KEY (profile_id, transaction_id)
    ) STRICT, WITHOUT ROWID;

    CREATE UNIQUE INDEX transactions_by_key
      ON transactions (profile_id, app_id, idempotency_key) WHERE idempotency_key IS NOT NULL;

    -- State 3 is failed: the product can be bought again.
    CREATE UNIQUE INDEX transactions_owned
      ON transactions (profile_id, app_id, product_id) WHERE is_exclusive = 1 AND state <> 3;

    CREATE INDEX transactions_listed
      ON transactions (profile_id, app_id, is_finished, created_at_ms, transaction_id);

    -- State 1 is purchasing.
    CREATE INDEX transactions_unresolved
      ON transactions (created_at_ms, profile_id, transaction_id) WHERE state = 1;

    CREATE INDEX transactions_key_age
      ON transactions (created_at_ms) WHERE idempotency_key IS NOT NULL;
    """

  /// Refuses a database that isn't a store, or that a newer release wrote. Changes nothing.
  func check(_ connection: SQLiteConnection) throws(StoreError) {
    let found = try connection.queryInteger("PRAGMA user_version")
    try checkOrigin(connection, version: found)
    guard found <= version else {
      throw StoreError(
        .newerSchema,
        "the store \(connection.path) has schema version \(found), and this release knows up to "
          + "\(version): run the newer release that wrote it, or give another path")
    }
  }

  /// Brings a database that was checked to this version; each step is there whole or not at all.
  func migrate(_ connection: SQLiteConnection) throws(StoreError) {
    let found = try connection.queryInteger("PRAGMA user_version")
    for next in Int(found)..<steps.count {
      try connection.execute(
        """
        BEGIN IMMEDIATE;
        \(steps[next]);
        PRAGMA application_id = \(Self.applicationID);
        PRAGMA user_version = \(next + 1);
        COMMIT;
        """)
    }
  }

  /// Refuses a database that another program made.
  private func checkOrigin(
    _ connection: SQLiteConnection, version: Int64
  ) throws(StoreError) {
    let origin = try connection.queryInteger("PRAGMA application_id")
    let tables = try connection.queryInteger("SELECT count(*) FROM sqlite_schema")
    let isEmpty = origin == 0 && version == 0 && tables == 0
    guard isEmpty || origin == Self.applicationID else {
      throw StoreError(
        .notAStore,
        "\(connection.path) is the SQLite database of another program: give another path with "
          + "--store sqlite:PATH")
    }
  }
}
