extension Schema {
  /// Regular profiles: known by a phone number, without an app, whose column is empty then. And
  /// when a storefront was set after its profile was made.
  static let regularProfiles = """
    ALTER TABLE profiles ADD COLUMN phone_number TEXT;
    ALTER TABLE profiles ADD COLUMN storefront_set_at_ms INTEGER;

    CREATE UNIQUE INDEX profiles_by_phone
      ON profiles (phone_number) WHERE phone_number IS NOT NULL;

    CREATE INDEX profiles_by_storefront_time
      ON profiles (storefront_set_at_ms, profile_id) WHERE storefront_set_at_ms IS NOT NULL;
    """
}
