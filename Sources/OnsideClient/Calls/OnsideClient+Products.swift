import OnsideProto
import RPC

extension OnsideClient {
  /// What the app sells, of the products asked for.
  ///
  /// With a session, the profile decides about storefront and restrictions; without one, the
  /// configuration's country hint about the storefront.
  ///
  /// - Parameters:
  ///   - identifiers: in any order; duplicates count once.
  ///   - countryHint: instead of the configuration's.
  /// - Throws: `refused` for an empty or unusable identifier, or too many; `superseded`.
  public func products(
    _ identifiers: [String], countryHint: String? = nil
  ) async throws(OnsideError) -> ProductList {
    let response = try await asAnybody {
      [catalogue, configuration] options, isSignedIn throws(RPCError) in
      var request = ListProductsRequest(productIdentifiers: identifiers)
      if !isSignedIn {
        request.appID = configuration.appID
        request.countryHint = countryHint ?? configuration.countryHint ?? ""
      }
      return try await catalogue.listProducts(request, options: options)
    }
    return try ProductList(response)
  }
}
