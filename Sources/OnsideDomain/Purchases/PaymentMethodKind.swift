/// How a purchase is paid.
public enum PaymentMethodKind: UInt8, Hashable, Sendable, CaseIterable {
  case applePay = 1
  case card = 2
}
