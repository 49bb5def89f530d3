/// What a product costs where: what the user saw, or what the catalogue says now.
public struct PurchaseOffer: Hashable, Sendable {
  public let storefrontID: String
  public let price: Money

  public init(storefrontID: String, price: Money) {
    self.storefrontID = storefrontID
    self.price = price
  }

  /// Why a purchase at what the user saw can't go on under this offer; nil: both agree.
  ///
  /// Another storefront comes before another price, since it explains one.
  public func refusal(ofSeen seen: PurchaseOffer) -> RefusalReason? {
    guard seen.storefrontID == storefrontID else { return .storefrontChanged }
    return seen.price == price ? nil : .priceChanged
  }
}
