/// A session that the service opened, as it is kept and sent.
///
/// Whoever has the token is the user: keep it like a password. It is never part of a description.
public struct Session: Sendable, Hashable {
  /// Proves the session; opaque.
  public let token: String

  /// The profile that the session is of: a UUID.
  public let profileID: String

  /// When the token expires, milliseconds since 1970 UTC.
  public let expiresAtMilliseconds: Int64

  /// A session, as the service gave it or as it was kept.
  public init(token: String, profileID: String, expiresAtMilliseconds: Int64) {
    self.token = token
    self.profileID = profileID
    self.expiresAtMilliseconds = expiresAtMilliseconds
  }
}

extension Session: CustomStringConvertible, CustomDebugStringConvertible {
  public var description: String { "session of profile \(profileID)" }
  public var debugDescription: String { description }
}

extension Session: CustomReflectable {
  /// Without the token, so that no dump shows it.
  public var customMirror: Mirror {
    Mirror(self, children: ["profileID": profileID, "expiresAt": expiresAtMilliseconds])
  }
}
