public import OnsideDomain

/// Sends login codes to phones.
public protocol PhoneGateway: Sendable {
  /// Sends a message. What blocks in it has to do so on threads of its own. It must take as long
  /// for every number, whether it has an account or not: it isn't told.
  ///
  /// - Throws: `PhoneGatewayError` when the message wasn't sent; the code is of no use then.
  func send(_ message: PhoneMessage) async throws(PhoneGatewayError)
}

/// A login code on its way to a phone.
public struct PhoneMessage: Sendable, Hashable {
  /// Whom it is for.
  public let number: PhoneNumber

  /// Six digits. A secret.
  public let code: String

  /// The app that its user logs in to: its identifier, and its name for people.
  public let appID: String
  public let appName: String

  /// Names the code at `CreateSession`. A secret.
  public let challengeID: String

  /// On the wall clock.
  public let sentAt: Timestamp
  public let expiresAt: Timestamp

  /// Describes a message.
  public init(
    number: PhoneNumber, code: String, appID: String, appName: String, challengeID: String,
    sentAt: Timestamp, expiresAt: Timestamp
  ) {
    self.number = number
    self.code = code
    self.appID = appID
    self.appName = appName
    self.challengeID = challengeID
    self.sentAt = sentAt
    self.expiresAt = expiresAt
  }
}

extension PhoneMessage: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Names the app; neither number nor code.
  public var description: String { "login code for \(appID)" }

  /// Names the app; neither number nor code.
  public var debugDescription: String { description }

  /// Shows the app; neither number nor code.
  public var customMirror: Mirror { Mirror(self, children: ["appID": appID]) }
}

/// Why a message wasn't sent.
public struct PhoneGatewayError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What happened, for logs; without number and code.
  public let message: String

  /// Describes a failure.
  public init(_ message: String) {
    self.message = message
  }

  /// The message.
  public var description: String { message }
}
