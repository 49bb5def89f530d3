/// A storefront: the country whose prices and rules apply.
public struct Storefront: Hashable, Sendable {
  /// Identifies the storefront; 1 to 64 bytes.
  public let id: String

  public let country: CountryCode

  /// A storefront under an identifier that a catalogue chose.
  public init(id: String, country: CountryCode) {
    self.id = id
    self.country = country
  }

  /// The storefront of a country that no catalogue names otherwise: its alpha-2 code.
  public init(_ country: CountryCode) {
    self.init(id: country.alpha2, country: country)
  }
}
