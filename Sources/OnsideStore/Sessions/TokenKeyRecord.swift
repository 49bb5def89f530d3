import OnsideDomain

/// A key that session tokens are sealed with. It is stored before its first use.
public struct TokenKeyRecord: Hashable, Sendable {
  /// Stands in the clear in every token; unique in the store, never 0.
  public let id: UInt32

  /// 32 secret bytes.
  public let secret: [UInt8]

  /// From when to when new tokens are sealed with it.
  public let sealsFrom: Timestamp
  public let sealsUntil: Timestamp

  /// When the last token that can have been sealed with it expires. None that would live longer
  /// may be sealed with it.
  public let opensUntil: Timestamp

  public init(
    id: UInt32, secret: [UInt8], sealsFrom: Timestamp, sealsUntil: Timestamp,
    opensUntil: Timestamp
  ) {
    self.id = id
    self.secret = secret
    self.sealsFrom = sealsFrom
    self.sealsUntil = sealsUntil
    self.opensUntil = opensUntil
  }
}

extension TokenKeyRecord: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The key's identifier; never the secret.
  public var description: String { "token key \(id)" }

  /// The key's identifier; never the secret.
  public var debugDescription: String { description }

  /// Shows the identifier and the times; never the secret.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "id": id, "sealsFrom": sealsFrom, "sealsUntil": sealsUntil, "opensUntil": opensUntil,
      ])
  }
}
