/// How a purchase was paid, as far as it may be kept and shown.
public struct PaymentDescription: Hashable, Sendable, CustomStringConvertible {
  public let method: PaymentMethodKind

  /// Saved cards only: of the others nothing is known but a token.
  public let card: CardLabel?

  /// Describes a payment.
  public init(method: PaymentMethodKind, card: CardLabel? = nil) {
    self.method = method
    self.card = card
  }

  /// For receipts: "Apple Pay", "Visa 4242", or "Card" of a card that isn't known any closer.
  public var description: String {
    method == .applePay ? "Apple Pay" : card?.description ?? CardBrand.other.name
  }
}
