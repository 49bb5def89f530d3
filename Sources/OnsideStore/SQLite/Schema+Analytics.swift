extension Schema {
  /// Where installations came from, and what their users did.
  static let analytics = """
    CREATE TABLE attributions (
      app_id TEXT NOT NULL,
      installation_id TEXT NOT NULL,
      referrer_url TEXT NOT NULL,
      PRIMARY KEY (app_id, installation_id)
    ) STRICT, WITHOUT ROWID;

    -- number: rises by one within an app. For 30 days, and so many of an app.
    CREATE TABLE tracked_events (
      app_id TEXT NOT NULL,
      number INTEGER NOT NULL,
      installation_id TEXT NOT NULL,
      event_id TEXT NOT NULL,
      name TEXT NOT NULL,
      parameters TEXT NOT NULL,
      occurred_at_ms INTEGER NOT NULL,
      received_at_ms INTEGER NOT NULL,
      PRIMARY KEY (app_id, number)
    ) STRICT, WITHOUT ROWID;

    CREATE UNIQUE INDEX tracked_events_by_id
      ON tracked_events (app_id, installation_id, event_id);

    CREATE INDEX tracked_events_by_age ON tracked_events (received_at_ms);
    """
}
