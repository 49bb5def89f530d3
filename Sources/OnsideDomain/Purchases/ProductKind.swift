/// What buying a product means. The raw values are those of `ProductKind` in `products.proto`.
public enum ProductKind: UInt8, Hashable, Sendable, CaseIterable {
  /// Used up, and bought again.
  case consumable = 1

  /// Bought once.
  case nonConsumable = 2

  /// Paid for each period.
  case subscription = 3
}
