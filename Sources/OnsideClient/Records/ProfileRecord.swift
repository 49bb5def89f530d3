public import OnsideDomain
import OnsideProto

/// Who is signed in.
public struct ProfileRecord: Sendable, Hashable {
  /// A UUID in its 36-character form, lower case.
  public let id: String

  /// What the profile may do.
  public let kind: OnsideDomain.ProfileKind

  /// The app that the profile belongs to.
  public let appID: String

  /// The app's own identifier of the user; external profiles only.
  public let externalUserID: String?

  /// Whose prices and rules apply.
  public let storefront: OnsideDomain.Storefront

  /// Milliseconds since 1970 UTC.
  public let createdAtMilliseconds: Int64

  init(_ message: Profile?) throws(OnsideError) {
    guard let message else { throw .invalidResponse("it has no profile") }
    guard
      let kind = UInt8(exactly: message.kind.rawValue).flatMap(
        OnsideDomain.ProfileKind.init(rawValue:))
    else { throw .invalidResponse("profile kind \(message.kind.rawValue) isn't known") }
    id = message.profileID
    self.kind = kind
    appID = message.appID
    externalUserID = kind == .external ? message.externalUserID : nil
    storefront = try OnsideDomain.Storefront(message.storefront)
    createdAtMilliseconds = message.createdAtMs
  }
}
