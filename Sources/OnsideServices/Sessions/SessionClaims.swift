import OnsideDomain
import OnsideStore

/// What a session token says, and what calls are answered by: no look-up is needed.
public struct SessionClaims: Hashable, Sendable {
  public let sessionID: SessionID
  public let profileID: ProfileID
  public let app: AppTag
  public let profileKind: ProfileKind

  /// The profile's storefront when the session was opened. Its identifier has up to 64 bytes.
  public let storefront: Storefront

  /// From this moment on the token is refused. On the wall clock.
  public let expiresAt: Timestamp

  public init(
    sessionID: SessionID, profileID: ProfileID, app: AppTag, profileKind: ProfileKind,
    storefront: Storefront, expiresAt: Timestamp
  ) {
    self.sessionID = sessionID
    self.profileID = profileID
    self.app = app
    self.profileKind = profileKind
    self.storefront = storefront
    self.expiresAt = expiresAt
  }
}
