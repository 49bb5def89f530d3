extension Schema {
  /// Events of profiles, saved cards, signing keys, and what receipts say of a payment.
  ///
  /// Triggers write the events, so that each is part of the statement that makes it: it costs no
  /// further step, is never forgotten, and is taken back together with it.
  static let payments = """
    -- Of saved cards only.
    ALTER TABLE transactions ADD COLUMN card_brand INTEGER;
    ALTER TABLE transactions ADD COLUMN card_last_four TEXT;

    -- State 4 is deferred.
    ALTER TABLE transactions ADD COLUMN was_deferred INTEGER NOT NULL DEFAULT 0;
    UPDATE transactions SET was_deferred = 1 WHERE state = 4;
    CREATE INDEX transactions_deferred ON transactions (transaction_id) WHERE was_deferred = 1;
    CREATE INDEX transactions_waiting
      ON transactions (created_at_ms, profile_id, transaction_id) WHERE state = 4;

    -- State 2 is purchased, kind 1 is consumable.
    CREATE INDEX transactions_kept
      ON transactions (profile_id, app_id, product_id, created_at_ms, transaction_id)
      WHERE state = 2 AND product_kind <> 1;

    CREATE TABLE profile_event_heads (
      profile_id BLOB NOT NULL PRIMARY KEY,
      last_sequence INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- Either a transaction as it was left, or a storefront. For 30 days.
    CREATE TABLE profile_events (
      profile_id BLOB NOT NULL,
      sequence INTEGER NOT NULL,
      at_ms INTEGER NOT NULL,
      transaction_id BLOB,
      state INTEGER,
      failure_reason INTEGER,
      is_finished INTEGER,
      storefront_id TEXT,
      country TEXT,
      PRIMARY KEY (profile_id, sequence)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX profile_events_by_age ON profile_events (at_ms);

    CREATE TRIGGER transactions_begun AFTER INSERT ON transactions BEGIN
      INSERT INTO profile_event_heads (profile_id, last_sequence) VALUES (NEW.profile_id, 1)
        ON CONFLICT (profile_id) DO UPDATE SET last_sequence = last_sequence + 1;
      INSERT INTO profile_events
        (profile_id, sequence, at_ms, transaction_id, state, failure_reason, is_finished)
        SELECT NEW.profile_id, last_sequence, NEW.updated_at_ms, NEW.transaction_id, NEW.state,
          NEW.failure_reason, NEW.is_finished
        FROM profile_event_heads WHERE profile_id = NEW.profile_id;
    END;

    CREATE TRIGGER transactions_changed AFTER UPDATE OF state, is_finished ON transactions
    WHEN NEW.state <> OLD.state OR NEW.is_finished <> OLD.is_finished BEGIN
      INSERT INTO profile_event_heads (profile_id, last_sequence) VALUES (NEW.profile_id, 1)
        ON CONFLICT (profile_id) DO UPDATE SET last_sequence = last_sequence + 1;
      INSERT INTO profile_events
        (profile_id, sequence, at_ms, transaction_id, state, failure_reason, is_finished)
        SELECT NEW.profile_id, last_sequence, NEW.updated_at_ms, NEW.transaction_id, NEW.state,
          NEW.failure_reason, NEW.is_finished
        FROM profile_event_heads WHERE profile_id = NEW.profile_id;
    END;

    CREATE TABLE cards (
      profile_id BLOB NOT NULL,
      card_id BLOB NOT NULL,
      brand INTEGER NOT NULL,
      last_four TEXT NOT NULL,
      expiry_month INTEGER NOT NULL,
      expiry_year INTEGER NOT NULL,
      token TEXT NOT NULL,
      created_at_ms INTEGER NOT NULL,
      is_default INTEGER NOT NULL,
      PRIMARY KEY (profile_id, card_id)
    ) STRICT, WITHOUT ROWID;

    CREATE UNIQUE INDEX cards_by_token ON cards (profile_id, token);

    CREATE TRIGGER cards_default_removed AFTER DELETE ON cards WHEN OLD.is_default = 1 BEGIN
      UPDATE cards SET is_default = 1 WHERE profile_id = OLD.profile_id AND card_id =
        (SELECT card_id FROM cards WHERE profile_id = OLD.profile_id
         ORDER BY created_at_ms, card_id LIMIT 1);
    END;

    CREATE TABLE signing_keys (
      number INTEGER NOT NULL PRIMARY KEY,
      secret BLOB NOT NULL,
      public_point BLOB NOT NULL,
      created_at_ms INTEGER NOT NULL
    ) STRICT;

    -- A key that signs nothing any more is only good for forgers.
    CREATE TRIGGER signing_keys_replaced AFTER INSERT ON signing_keys BEGIN
      UPDATE signing_keys SET secret = x'' WHERE number < NEW.number;
    END;
    """
}
