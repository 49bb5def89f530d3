import OnsideDomain
import OnsideStore

/// What a session is made of: the part of a profile that never needs the store.
public struct ProfileSummary: Hashable, Sendable {
  public let id: ProfileID
  public let kind: ProfileKind
  public let storefront: Storefront

  public init(id: ProfileID, kind: ProfileKind, storefront: Storefront) {
    self.id = id
    self.kind = kind
    self.storefront = storefront
  }

  public init(_ profile: ProfileRecord) {
    self.init(id: profile.id, kind: profile.kind, storefront: profile.storefront)
  }
}
