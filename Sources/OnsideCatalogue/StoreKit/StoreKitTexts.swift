import OnsideDomain

/// The title and description of a product of a `.storekit` file, in one language.
///
/// Taken from the localization of the file's locale, else of its language, else the first one.
/// Texts may be missing or empty: the title then is the reference name, else the identifier.
struct StoreKitTexts {
  let title: String
  let description: String

  init(_ product: JSONNode, identifier: String, locale: String?) {
    let localizations = product["localizations"]?.elements ?? []
    let language = locale?.prefix { $0 != "_" && $0 != "-" }
    let chosen =
      localizations.first { locale != nil && $0["locale"]?.string == locale }
      ?? localizations.first { node in
        guard let language, let other = node["locale"]?.string else { return false }
        return other.prefix { $0 != "_" && $0 != "-" } == language
      } ?? localizations.first
    let titles = [chosen?["displayName"]?.string, product["referenceName"]?.string, identifier]
    title = titles.compactMap { $0 }.first { !$0.isEmpty } ?? identifier
    description = chosen?["description"]?.string ?? ""
  }

  /// The title, if it is one that the service can show.
  func checkedTitle(_ node: JSONNode) throws(CatalogueProblem) -> String {
    try Self.check(title, ProductTexts.title, node)
  }

  /// The description, if it is one that the service can show.
  func checkedDescription(_ node: JSONNode) throws(CatalogueProblem) -> String {
    try Self.check(description, ProductTexts.description, node)
  }

  private static func check(
    _ text: String, _ rule: IdentifierRule, _ node: JSONNode
  ) throws(CatalogueProblem) -> String {
    do throws(InvalidIdentifier) {
      try rule.validate(text)
    } catch {
      throw node.invalid(error.description)
    }
    return text
  }
}
