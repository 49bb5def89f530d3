import OnsideDomain

/// A profile: one user of one app, or an account of the marketplace, which is the same in every
/// app.
public struct ProfileRecord: Hashable, Sendable {
  public let id: ProfileID
  public let kind: ProfileKind

  /// The app whose user this is; nil for a regular profile, which belongs to none.
  public let appID: String?

  /// What the app calls its user; nil unless the kind is external. Unique within the app, compared
  /// byte by byte.
  public let externalUserID: String?

  /// What a regular profile is known by; unique. Nil for an account without one, and unless the
  /// kind is regular.
  public let phoneNumber: PhoneNumber?

  public let storefront: Storefront
  public let createdAt: Timestamp

  public init(
    id: ProfileID, kind: ProfileKind, appID: String?, externalUserID: String?,
    phoneNumber: PhoneNumber? = nil, storefront: Storefront, createdAt: Timestamp
  ) {
    self.id = id
    self.kind = kind
    self.appID = appID
    self.externalUserID = externalUserID
    self.phoneNumber = phoneNumber
    self.storefront = storefront
    self.createdAt = createdAt
  }

  /// The regular profile of a phone number.
  public init(
    id: ProfileID, phoneNumber: PhoneNumber, storefront: Storefront, createdAt: Timestamp
  ) {
    self.init(
      id: id, kind: .regular, appID: nil, externalUserID: nil, phoneNumber: phoneNumber,
      storefront: storefront, createdAt: createdAt)
  }

  /// The same profile in another storefront.
  public func moved(to storefront: Storefront) -> ProfileRecord {
    ProfileRecord(
      id: id, kind: kind, appID: appID, externalUserID: externalUserID, phoneNumber: phoneNumber,
      storefront: storefront, createdAt: createdAt)
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

/// A profile's storefront that was set after the profile was made.
public struct StorefrontChange: Hashable, Sendable {
  public let profileID: ProfileID
  public let storefront: Storefront
  public let changedAt: Timestamp

  public init(profileID: ProfileID, storefront: Storefront, changedAt: Timestamp) {
    self.profileID = profileID
    self.storefront = storefront
    self.changedAt = changedAt
  }
}
