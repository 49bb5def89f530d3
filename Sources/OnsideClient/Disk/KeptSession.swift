#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import OnsideDomain

/// A session and its profile as they lie on disk.
struct KeptSession {
  let session: Session
  let profile: ProfileRecord

  private struct Content: Codable {
    var version = 1
    var token: String
    var expiresAt: Int64
    var profileID: String
    var kind: UInt8
    var appID: String
    var externalUserID: String?
    var phoneNumberHint: String?
    var storefront: KeptQueue.Place
    var createdAt: Int64
  }

  init(session: Session, profile: ProfileRecord) {
    self.session = session
    self.profile = profile
  }

  /// What was kept; nil if it isn't a session of this app.
  init?(_ bytes: [UInt8], appID: String) {
    guard let content = try? JSONDecoder().decode(Content.self, from: Data(bytes)),
      content.version == 1, content.appID == appID,
      let kind = ProfileKind(rawValue: content.kind), let storefront = content.storefront.storefront
    else { return nil }
    session = Session(
      token: content.token, profileID: content.profileID,
      expiresAtMilliseconds: content.expiresAt)
    profile = ProfileRecord(
      id: content.profileID, kind: kind, appID: content.appID,
      externalUserID: content.externalUserID, phoneNumberHint: content.phoneNumberHint,
      storefront: storefront, createdAtMilliseconds: content.createdAt)
  }

  var bytes: [UInt8] {
    let content = Content(
      token: session.token, expiresAt: session.expiresAtMilliseconds, profileID: profile.id,
      kind: profile.kind.rawValue, appID: profile.appID, externalUserID: profile.externalUserID,
      phoneNumberHint: profile.phoneNumberHint,
      storefront: KeptQueue.Place(profile.storefront), createdAt: profile.createdAtMilliseconds)
    // Strings and integers always have a JSON form.
    guard let data = try? JSONEncoder().encode(content) else { return [] }
    return Array(data)
  }
}
