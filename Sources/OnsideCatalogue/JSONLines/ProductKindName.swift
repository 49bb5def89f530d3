import OnsideDomain

/// How kinds of products are written in catalogues and shown to people.
extension ProductKind {
  /// `consumable`, `non-consumable` or `subscription`.
  public var name: String {
    switch self {
    case .consumable: "consumable"
    case .nonConsumable: "non-consumable"
    case .subscription: "subscription"
    }
  }

  /// The kind with this name; nil if there is none.
  public init?(name: String) {
    guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = kind
  }
}
