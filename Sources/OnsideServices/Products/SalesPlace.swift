import OnsideCatalogue
import OnsideDomain

/// Where an app's products are sold to somebody: a storefront as the catalogue has it now.
struct SalesPlace: Sendable {
  /// The storefront's place in the catalogue, or that it has none.
  let listing: ListingPlace

  /// The catalogue's storefront; where it sells nothing, the one that was asked for.
  let storefront: Storefront

  /// The place of a profile. Its storefront is looked for by identifier, then by country: a
  /// catalogue may have named it after the profile was made.
  init(_ catalogue: CatalogueSnapshot, appID: String, storefront: Storefront) {
    guard let app = catalogue.app(appID),
      let handle = catalogue.storefront(storefront.id, of: app)
        ?? catalogue.storefront(in: storefront.country, of: app)
    else {
      listing = .elsewhere(storefront)
      self.storefront = storefront
      return
    }
    listing = .storefront(app, handle)
    self.storefront = catalogue.details(of: handle, of: app).storefront
  }

  /// The place of somebody without a profile: in the country of a hint, else where the app's users
  /// belong by default.
  init(_ catalogue: CatalogueSnapshot, app: RegisteredApp, hint: CountryCode?) {
    self.init(
      catalogue, appID: app.id,
      storefront: Self.storefront(catalogue, app: app, hint: hint))
  }

  /// The storefront that a new profile of an app gets.
  static func storefront(
    _ catalogue: CatalogueSnapshot, app: RegisteredApp, hint: CountryCode?
  ) -> Storefront {
    let sold = catalogue.app(app.id)
    if let country = hint ?? app.defaultCountry {
      guard let sold, let handle = catalogue.storefront(in: country, of: sold) else {
        return Storefront(country)
      }
      return catalogue.details(of: handle, of: sold).storefront
    }
    guard let sold else { return Storefront(fallbackCountry) }
    return catalogue.details(of: catalogue.defaultStorefront(of: sold), of: sold).storefront
  }

  /// Where users belong of an app that neither the apps file nor the catalogue says it of.
  private static let fallbackCountry = CountryCode(alpha2: "US") ?? CountryCode.all[0]
}
