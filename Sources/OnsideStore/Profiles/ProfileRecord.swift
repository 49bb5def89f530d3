import OnsideDomain

/// A profile: one user of one app.
public struct ProfileRecord: Hashable, Sendable {
  public let id: ProfileID
  public let kind: ProfileKind
  public let appID: String

  /// What the app calls its user; nil unless the kind is external. Unique within the app, compared
  /// byte by byte.
  public let externalUserID: String?

  public let storefront: Storefront
  public let createdAt: Timestamp

  public init(
    id: ProfileID, kind: ProfileKind, appID: String, externalUserID: String?,
    storefront: Storefront, createdAt: Timestamp
  ) {
    self.id = id
    self.kind = kind
    self.appID = appID
    self.externalUserID = externalUserID
    self.storefront = storefront
    self.createdAt = createdAt
  }
}

/// What insert-or-find found or made.
public struct ProfileCreation: Hashable, Sendable {
  /// The profile as it is stored.
  public let profile: ProfileRecord

  /// False: it was there already, and what was proposed is forgotten.
  public let created: Bool

  public init(profile: ProfileRecord, created: Bool) {
    self.profile = profile
    self.created = created
  }
}
