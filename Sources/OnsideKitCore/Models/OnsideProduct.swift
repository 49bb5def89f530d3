#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
import OnsideClient

/// Something that the app sells, at its price in one storefront.
///
/// Source: the SDK's models and its public clients. Whether a product is consumable isn't shown.
public struct OnsideProduct: Sendable, Codable, Hashable, CustomStringConvertible {
  /// The marketplace's identifier of the product, its slug; not one of the App Store.
  public var productIdentifier: String

  /// For people.
  public var localizedTitle: String

  /// For people.
  public var localizedDescription: String

  /// A picture; nil: none.
  public var iconUrl: URL?

  /// Subscriptions only.
  public var subscriptionGroupIdentifier: String?

  /// Subscriptions only: this is how they are told from other products.
  public var subscriptionPeriod: OnsidePeriod?

  /// Of one item, or of one period of a subscription.
  public var price: OnsidePrice

  /// What a new subscriber pays first.
  public var introductoryPrice: OnsidePricePeriod?

  /// What is paid for a limited time otherwise.
  public var discountedPrice: OnsidePricePeriod?

  /// What the service said; not part of what is encoded or compared.
  var origin = ProductOrigin()

  private enum CodingKeys: String, CodingKey {
    case productIdentifier, localizedTitle, localizedDescription, iconUrl
    case subscriptionGroupIdentifier, subscriptionPeriod, price, introductoryPrice
    case discountedPrice
  }

  /// The product identifier.
  public var description: String { productIdentifier }
}

/// The record that a product was made from, with its exact price and its storefront.
///
/// Nil for a product that was decoded: the product is looked up again when it is bought. All
/// origins are equal, so that two products are when what they show is.
struct ProductOrigin: Sendable, Hashable {
  var record: ProductRecord?

  static func == (left: ProductOrigin, right: ProductOrigin) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}

extension OnsideProduct {
  init(_ record: ProductRecord) {
    self.init(
      productIdentifier: record.identifier, localizedTitle: record.title,
      localizedDescription: record.description, iconUrl: record.iconURL.flatMap(URL.init(string:)),
      subscriptionGroupIdentifier: record.subscriptionGroup,
      subscriptionPeriod: record.subscriptionPeriod.map(OnsidePeriod.init),
      price: OnsidePrice(record.price),
      introductoryPrice: record.introductoryPrice.map(OnsidePricePeriod.init),
      discountedPrice: record.discountedPrice.map(OnsidePricePeriod.init),
      origin: ProductOrigin(record: record))
  }

  /// What the service said about this product; nil when it has to be asked again.
  var record: ProductRecord? {
    origin.record.flatMap { $0.identifier == productIdentifier ? $0 : nil }
  }
}

extension OnsidePricePeriod {
  init(_ price: ProductRecord.PeriodPrice) {
    self.init(price: OnsidePrice(price.price), period: OnsidePeriod(price.period))
  }
}
