import OnsideDomain

/// What the texts of a product may look like.
enum ProductTexts {
  static let title = IdentifierRule(field: "title", maximumBytes: 1_000)

  static let description = IdentifierRule(
    field: "description", maximumBytes: 4_000, allowsEmpty: true, allowsControlCharacters: true)

  static let group = IdentifierRule(field: "subscription group", maximumBytes: 255)

  static let iconURL = IdentifierRule(
    field: "icon URL", maximumBytes: 2_000, allowsEmpty: true)
}
