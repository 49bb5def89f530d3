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

  /// The phone number with all but its last two digits hidden; regular profiles that have one only.
  public let phoneNumberHint: String?

  /// Whose prices and rules apply.
  public internal(set) var storefront: OnsideDomain.Storefront

  /// Milliseconds since 1970 UTC.
  public let createdAtMilliseconds: Int64

  /// A profile that isn't the service's: of local testing, or as it was kept.
  init(
    id: String, kind: OnsideDomain.ProfileKind, appID: String, externalUserID: String? = nil,
    phoneNumberHint: String? = nil, storefront: OnsideDomain.Storefront,
    createdAtMilliseconds: Int64
  ) {
    self.id = id
    self.kind = kind
    self.appID = appID
    self.externalUserID = externalUserID
    self.phoneNumberHint = phoneNumberHint
    self.storefront = storefront
    self.createdAtMilliseconds = createdAtMilliseconds
  }

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
    phoneNumberHint = message.phoneNumberHint.isEmpty ? nil : message.phoneNumberHint
    storefront = try OnsideDomain.Storefront(message.storefront)
    createdAtMilliseconds = message.createdAtMs
  }
}
