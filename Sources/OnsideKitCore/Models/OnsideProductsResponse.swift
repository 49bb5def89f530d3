import OnsideClient

/// The answer to a products request.
///
/// The three lists are disjoint and make up the request. Source: external-login.txt ("A products
/// response lists filtered products in unsupportedProductIdentifiers, separately from
/// invalidProductIdentifiers"), and the SDK's products page.
public struct OnsideProductsResponse: Sendable {
  /// What can be bought.
  public var products: [OnsideProduct]

  /// Unknown, or not sold in this storefront.
  public var invalidProductIdentifiers: [String]

  /// Known, but not for this kind of profile: non-consumables and subscriptions for an external
  /// one.
  public var unsupportedProductIdentifiers: [String]
}

extension OnsideProductsResponse {
  init(_ list: ProductList) {
    self.init(
      products: list.products.map(OnsideProduct.init),
      invalidProductIdentifiers: list.invalidIdentifiers,
      unsupportedProductIdentifiers: list.unsupportedIdentifiers)
  }
}
