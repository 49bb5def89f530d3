/// What may be shown of a card.
public struct CardLabel: Hashable, Sendable, CustomStringConvertible {
  public let brand: CardBrand

  /// The number's last four digits.
  public let lastFour: String

  /// Describes a card.
  public init(brand: CardBrand, lastFour: String) {
    self.brand = brand
    self.lastFour = lastFour
  }

  /// "Visa 4242".
  public var description: String { "\(brand.name) \(lastFour)" }
}
