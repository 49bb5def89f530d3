import OnsideDomain

/// Something that an installation's user did, as an app has told it.
public struct TrackedEventRecord: Hashable, Sendable {
  public let appID: String
  public let installationID: String

  /// Of an app's installation, one of a kind.
  public let eventID: String
  public let name: String

  /// A JSON object.
  public let parameters: String

  /// When it happened, by the installation's clock.
  public let occurredAt: Timestamp

  /// When it was taken, by the server's clock.
  public let receivedAt: Timestamp

  public init(
    appID: String, installationID: String, eventID: String, name: String, parameters: String,
    occurredAt: Timestamp, receivedAt: Timestamp
  ) {
    self.appID = appID
    self.installationID = installationID
    self.eventID = eventID
    self.name = name
    self.parameters = parameters
    self.occurredAt = occurredAt
    self.receivedAt = receivedAt
  }
}

/// How long tracked events are kept, in milliseconds: 30 days.
public let trackedEventRetention: Int64 = 30 * 24 * 60 * 60 * 1_000
