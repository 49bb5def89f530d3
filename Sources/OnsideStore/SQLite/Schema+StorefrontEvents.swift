extension Schema {
  /// A storefront that is set is an event of its profile.
  static let storefrontEvents = """
    CREATE TRIGGER profiles_moved AFTER UPDATE OF storefront_id, country ON profiles
    WHEN NEW.storefront_id <> OLD.storefront_id OR NEW.country <> OLD.country BEGIN
      INSERT INTO profile_event_heads (profile_id, last_sequence) VALUES (NEW.profile_id, 1)
        ON CONFLICT (profile_id) DO UPDATE SET last_sequence = last_sequence + 1;
      INSERT INTO profile_events (profile_id, sequence, at_ms, storefront_id, country)
        SELECT NEW.profile_id, last_sequence, NEW.storefront_set_at_ms, NEW.storefront_id,
          NEW.country
        FROM profile_event_heads WHERE profile_id = NEW.profile_id;
    END;
    """
}
