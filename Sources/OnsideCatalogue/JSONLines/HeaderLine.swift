import OnsideDomain

/// A line that says which app the following lines belong to, and where that sells.
struct HeaderLine {
  let app: String
  let storefronts: [CatalogueStorefront]

  /// The place of the default among `storefronts`; nil: the first, or what an earlier line said.
  let defaultStorefront: Int?

  /// What the `format` of a header has to be.
  static let format = "onside-catalogue/1"

  init(_ node: JSONNode) throws(CatalogueProblem) {
    try Self.checkKeys(node, ["format", "app", "storefronts", "default_storefront"])
    guard let format = node["format"]?.string, format == Self.format else {
      throw (node["format"] ?? node).invalid("the format isn't \"\(Self.format)\"")
    }
    app = try Self.identifier(node, "app", .appID)
    guard let list = node["storefronts"], !list.elements.isEmpty else {
      throw (node["storefronts"] ?? node).invalid(
        "\"storefronts\" has to be a list of at least one")
    }
    var storefronts: [CatalogueStorefront] = []
    for element in list.elements {
      let storefront = try Self.storefront(element)
      guard !storefronts.contains(where: { $0.storefront.id == storefront.storefront.id }) else {
        throw element.invalid(
          "storefront \(Escaping.quoted(storefront.storefront.id)) is in the list twice")
      }
      storefronts.append(storefront)
    }
    self.storefronts = storefronts
    if let node = node["default_storefront"] {
      let place = storefronts.firstIndex { $0.storefront.id == node.string }
      guard let place else {
        throw node.invalid("the default storefront isn't among the storefronts")
      }
      defaultStorefront = place
    } else {
      defaultStorefront = nil
    }
  }

  private static func storefront(_ node: JSONNode) throws(CatalogueProblem) -> CatalogueStorefront {
    try checkKeys(node, ["id", "country", "currency"])
    guard let code = node["country"]?.string, let country = CountryCode(alpha2: code) else {
      throw (node["country"] ?? node)
        .invalid("\"country\" has to be an ISO 3166-1 alpha-2 code in upper case")
    }
    let id = node["id"] == nil ? country.alpha2 : try identifier(node, "id", .storefrontID)
    let storefront = Storefront(id: id, country: country)
    guard let currencyNode = node["currency"] else {
      guard let currency = country.currency else {
        throw node.invalid("\(country) has no currency of its own: name one as \"currency\"")
      }
      return CatalogueStorefront(storefront, currency: currency)
    }
    guard let code = currencyNode.string, let currency = Currency(code) else {
      throw currencyNode.invalid("\"currency\" has to be an ISO 4217 code in upper case")
    }
    return CatalogueStorefront(storefront, currency: currency)
  }

  private static func identifier(
    _ node: JSONNode, _ key: String, _ rule: IdentifierRule
  ) throws(CatalogueProblem) -> String {
    guard let member = node[key], let text = member.string else {
      throw (node[key] ?? node).invalid("\"\(key)\" has to be a string")
    }
    do throws(InvalidIdentifier) {
      try rule.validate(text)
    } catch {
      throw member.invalid(error.description)
    }
    return text
  }

  /// Refuses what would otherwise be a misspelled key that nobody reads.
  private static func checkKeys(_ node: JSONNode, _ known: [String]) throws(CatalogueProblem) {
    guard case .object(let members) = node.value else { throw node.invalid("expected an object") }
    for (key, member) in members where !known.contains(key) && !key.hasPrefix("_") {
      throw member.invalid("unknown key \(Escaping.quoted(key))")
    }
  }
}
