import OnsideDomain

/// The country whose prices and rules apply.
///
/// Source: the SDK's models (`id`, `countryCode`). There is no `isExternal`: "Use the returned
/// products and typed errors to handle capabilities."
public struct OnsideStorefront: Sendable, Codable, Hashable {
  /// Identifies the storefront; at most 64 bytes.
  public var id: String

  /// ISO 3166-1 alpha-2, upper case.
  public var countryCode: String
}

extension OnsideStorefront {
  init(_ storefront: Storefront) {
    self.init(id: storefront.id, countryCode: storefront.country.alpha2)
  }
}
