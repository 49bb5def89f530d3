import OnsideDomain

/// Whose prices a call of `ListProducts` asks for.
public enum ListingPlace: Sendable {
  /// A storefront that the app sells in.
  case storefront(AppHandle, StorefrontHandle)

  /// One that it doesn't sell in, or an app without products: every identifier is invalid.
  case elsewhere(Storefront)
}

/// The fields of a `ListProductsRequest` besides the identifiers, as places in its bytes.
public struct ListingFields: Hashable, Sendable {
  /// Nil: absent.
  public internal(set) var appID: Range<Int>?

  /// Nil: absent.
  public internal(set) var countryHint: Range<Int>?

  /// How many identifiers there are, duplicates included.
  public internal(set) var identifierCount = 0
}
