/// How a purchase is paid.
public enum PaymentMethodKind: UInt8, Hashable, Sendable, CaseIterable {
  case applePay = 1
  case card = 2

  /// A card that the profile keeps.
  case savedCard = 3
}
