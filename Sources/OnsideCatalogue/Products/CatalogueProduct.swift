import OnsideDomain

/// A product as one storefront sells it.
public struct CatalogueProduct: Hashable, Sendable {
  public var identifier: String
  public var title: String

  /// May be empty.
  public var description: String
  public var kind: ProductKind

  /// Of one item, or of one period of a subscription.
  public var price: Money

  /// Subscriptions only.
  public var subscriptionGroup: String?

  /// Subscriptions only.
  public var subscriptionPeriod: Period?

  /// What a new subscriber pays first.
  public var introductoryPrice: PeriodPrice?

  /// What is paid for a limited time otherwise.
  public var discountedPrice: PeriodPrice?

  public var iconURL: String?

  public init(
    identifier: String, title: String, description: String = "", kind: ProductKind, price: Money,
    subscriptionGroup: String? = nil, subscriptionPeriod: Period? = nil,
    introductoryPrice: PeriodPrice? = nil, discountedPrice: PeriodPrice? = nil,
    iconURL: String? = nil
  ) {
    self.identifier = identifier
    self.title = title
    self.description = description
    self.kind = kind
    self.price = price
    self.subscriptionGroup = subscriptionGroup
    self.subscriptionPeriod = subscriptionPeriod
    self.introductoryPrice = introductoryPrice
    self.discountedPrice = discountedPrice
    self.iconURL = iconURL
  }
}

/// A price for a limited time.
public struct PeriodPrice: Hashable, Sendable {
  public var price: Money
  public var period: Period

  public init(price: Money, period: Period) {
    self.price = price
    self.period = period
  }
}
