import OnsideDomain

/// A card that a profile keeps: never its number or security code.
public struct CardRecord: Hashable, Sendable {
  public let id: CardID
  public let profileID: ProfileID
  public let label: CardLabel
  public let expiry: CardExpiry

  /// What the processor charges; the same for the same card, 1 to 1,024 bytes. A secret.
  public let token: String

  public let createdAt: Timestamp

  /// Charged unless another is chosen. One of a profile's cards is.
  public var isDefault: Bool

  public init(
    id: CardID, profileID: ProfileID, label: CardLabel, expiry: CardExpiry, token: String,
    createdAt: Timestamp, isDefault: Bool = false
  ) {
    self.id = id
    self.profileID = profileID
    self.label = label
    self.expiry = expiry
    self.token = token
    self.createdAt = createdAt
    self.isDefault = isDefault
  }
}

/// Identifies a saved card.
public typealias CardID = UniqueID<CardRecord>

extension CardRecord: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The brand and the last four digits; never the token.
  public var description: String { label.description }

  /// The brand and the last four digits; never the token.
  public var debugDescription: String { description }

  /// Shows the identifier and the label; never the token.
  public var customMirror: Mirror { Mirror(self, children: ["id": id, "label": label]) }
}

/// What adding a card did.
public enum CardAddition: Hashable, Sendable {
  case added(CardRecord)

  /// The profile keeps this card already.
  case existing(CardRecord)

  /// The profile has as many cards as it may have.
  case tooMany
}
