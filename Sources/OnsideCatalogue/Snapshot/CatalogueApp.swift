import OnsideDomain

/// A storefront of an app, with the currency of its prices.
public struct CatalogueStorefront: Hashable, Sendable {
  public let storefront: Storefront
  public let currency: Currency

  public init(_ storefront: Storefront, currency: Currency) {
    self.storefront = storefront
    self.currency = currency
  }
}

/// What a catalogue says about an app as a whole.
public struct CatalogueApp: Hashable, Sendable {
  public let id: String

  /// In the order in which they were declared; at most 255.
  public internal(set) var storefronts: [CatalogueStorefront]

  /// The place of the default storefront among `storefronts`.
  var defaultStorefrontIndex: Int

  public internal(set) var productCount: Int

  /// Where users belong that came without a hint.
  public var defaultStorefront: CatalogueStorefront { storefronts[defaultStorefrontIndex] }
}

/// An app of one snapshot. Another snapshot may have another app at the same handle.
public struct AppHandle: Hashable, Sendable {
  let index: Int
}

/// A storefront of an app of one snapshot.
public struct StorefrontHandle: Hashable, Sendable {
  let index: Int
}
