import OnsideDomain
import RPC

/// Where a caller says that its user is.
enum CountryHint {
  /// The country of a hint; nil: there is no hint.
  ///
  /// - Throws: `COUNTRY_INVALID` for anything but an ISO 3166-1 alpha-2 code in upper case.
  static func parse(_ hint: String) throws(RPCError) -> CountryCode? {
    if hint.isEmpty { return nil }
    if let country = CountryCode(alpha2: hint) { return country }
    throw RPCError(
      .countryInvalid,
      "country_hint \(Escaping.quoted(hint)) isn't an ISO 3166-1 alpha-2 code in upper case such "
        + "as \"DE\"; leave it empty for the app's default", ["field": "country_hint"])
  }
}
