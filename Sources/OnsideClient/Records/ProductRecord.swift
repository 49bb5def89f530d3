public import OnsideDomain
import OnsideProto

/// Something that an app sells, at its price in one storefront.
public struct ProductRecord: Sendable, Hashable {
  /// A price for a limited time.
  public struct PeriodPrice: Sendable, Hashable {
    /// Of one period.
    public let price: OnsideDomain.Money

    /// How long one price is paid for.
    public let period: OnsideDomain.Period

    /// A price for a limited time.
    public init(price: OnsideDomain.Money, period: OnsideDomain.Period) {
      self.price = price
      self.period = period
    }
  }

  /// The app's identifier of the product.
  public let identifier: String

  /// For people, in the catalogue's language.
  public let title: String

  /// For people, in the catalogue's language.
  public let description: String

  /// What buying it means.
  public let kind: OnsideDomain.ProductKind

  /// Of one item, or of one period of a subscription.
  public let price: OnsideDomain.Money

  /// Subscriptions only.
  public let subscriptionGroup: String?

  /// Subscriptions only.
  public let subscriptionPeriod: OnsideDomain.Period?

  /// What a new subscriber pays first.
  public let introductoryPrice: PeriodPrice?

  /// What is paid for a limited time otherwise.
  public let discountedPrice: PeriodPrice?

  /// A picture; nil: none.
  public let iconURL: String?

  /// The storefront whose price this is: a purchase is made in it.
  public let storefront: OnsideDomain.Storefront

  /// A product that is known from elsewhere.
  public init(
    identifier: String, title: String, description: String = "", kind: OnsideDomain.ProductKind,
    price: OnsideDomain.Money, subscriptionGroup: String? = nil,
    subscriptionPeriod: OnsideDomain.Period? = nil, introductoryPrice: PeriodPrice? = nil,
    discountedPrice: PeriodPrice? = nil, iconURL: String? = nil,
    storefront: OnsideDomain.Storefront
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
    self.storefront = storefront
  }

  init(_ message: Product, in storefront: OnsideDomain.Storefront) throws(OnsideError) {
    guard
      let kind = UInt8(exactly: message.kind.rawValue).flatMap(
        OnsideDomain.ProductKind.init(rawValue:))
    else { throw .invalidResponse("product kind \(message.kind.rawValue) isn't known") }
    identifier = message.productIdentifier
    title = message.title
    description = message.description
    self.kind = kind
    price = try OnsideDomain.Money(message.price)
    subscriptionGroup = message.subscriptionGroup.isEmpty ? nil : message.subscriptionGroup
    subscriptionPeriod = try Self.period(message.subscriptionPeriod)
    introductoryPrice = try Self.periodPrice(message.introductoryPrice)
    discountedPrice = try Self.periodPrice(message.discountedPrice)
    iconURL = message.iconURL.isEmpty ? nil : message.iconURL
    self.storefront = storefront
  }

  private static func period(
    _ message: OnsideProto.Period?
  ) throws(OnsideError) -> OnsideDomain.Period? {
    guard let message else { return nil }
    return try OnsideDomain.Period(message)
  }

  private static func periodPrice(
    _ message: OnsideProto.PeriodPrice?
  ) throws(OnsideError) -> PeriodPrice? {
    guard let message else { return nil }
    guard let period = try period(message.period) else {
      throw .invalidResponse("a price for a limited time has no period")
    }
    return PeriodPrice(price: try OnsideDomain.Money(message.price), period: period)
  }
}

/// The answer to a question for products. The three lists are disjoint and make up the request with
/// its duplicates collapsed; each is in the order of the request.
public struct ProductList: Sendable, Hashable {
  /// What can be bought.
  public let products: [ProductRecord]

  /// Unknown to the app, or not sold in this storefront.
  public let invalidIdentifiers: [String]

  /// Known, but not for this kind of profile.
  public let unsupportedIdentifiers: [String]

  /// Whose prices these are.
  public let storefront: OnsideDomain.Storefront

  /// An answer that doesn't come from the service.
  init(
    products: [ProductRecord], invalidIdentifiers: [String], unsupportedIdentifiers: [String],
    storefront: OnsideDomain.Storefront
  ) {
    self.products = products
    self.invalidIdentifiers = invalidIdentifiers
    self.unsupportedIdentifiers = unsupportedIdentifiers
    self.storefront = storefront
  }

  init(_ message: ListProductsResponse) throws(OnsideError) {
    let storefront = try OnsideDomain.Storefront(message.storefront)
    var products: [ProductRecord] = []
    for product in message.products { products.append(try ProductRecord(product, in: storefront)) }
    self.products = products
    invalidIdentifiers = message.invalidIdentifiers
    unsupportedIdentifiers = message.unsupportedIdentifiers
    self.storefront = storefront
  }
}
