import OnsideProto

/// A card as a profile keeps it: nothing to pay with.
public struct CardRecord: Sendable, Hashable, Identifiable {
  /// Names the card in calls; at most 64 ASCII characters.
  public let id: String

  /// "Visa", "Mastercard", "American Express", or "Card".
  public let brand: String

  /// The last four digits of its number.
  public let lastFour: String

  /// 1 to 12.
  public let expiryMonth: Int

  /// Four digits.
  public let expiryYear: Int

  /// Charged unless another card is chosen.
  public let isDefault: Bool

  /// A card, as the service gave it.
  public init(
    id: String, brand: String, lastFour: String, expiryMonth: Int, expiryYear: Int, isDefault: Bool
  ) {
    self.id = id
    self.brand = brand
    self.lastFour = lastFour
    self.expiryMonth = expiryMonth
    self.expiryYear = expiryYear
    self.isDefault = isDefault
  }

  init(_ message: Card?) throws(OnsideError) {
    guard let message else { throw .invalidResponse("it has no card") }
    self.init(
      id: message.cardID, brand: message.brand, lastFour: message.lastFour,
      expiryMonth: Int(message.expiryMonth), expiryYear: Int(message.expiryYear),
      isDefault: message.isDefault)
  }
}
