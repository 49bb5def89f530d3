/// Where an installation of an app came from.
public struct AttributionRecord: Hashable, Sendable {
  public let appID: String
  public let installationID: String

  /// Empty: from nowhere in particular.
  public let referrerURL: String

  public init(appID: String, installationID: String, referrerURL: String) {
    self.appID = appID
    self.installationID = installationID
    self.referrerURL = referrerURL
  }
}
