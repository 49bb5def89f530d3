import OnsideDomain

/// What a `.storekit` file says about how the store behaves. Every key may be absent.
public struct StoreKitSettings: Hashable, Sendable {
  /// `_storefront`; the United States if the file doesn't say, as in Xcode.
  public var country: CountryCode

  /// `_locale`, such as `en_US`.
  public var locale: String?

  /// `_askToBuyEnabled`: purchases need approval.
  public var asksToBuy = false

  /// `_failTransactionsEnabled`: purchases fail.
  public var failsTransactions = false

  /// `_disableDialogs`: purchases aren't confirmed.
  public var disablesDialogs = false

  /// `_timeRate`: how fast subscriptions renew, as Xcode's code; 0 is real time.
  public var timeRate = 0

  /// The enabled entries of `_storeKitErrors`, by name: "Load Products", "Purchase" and so on.
  public var enabledErrors: Set<String> = []

  init(_ node: JSONNode?, _ notes: inout [(JSONPosition, String)]) throws(CatalogueProblem) {
    country = try Self.country(node?["_storefront"])
    guard let node else { return }
    locale = node["_locale"]?.string
    asksToBuy = node["_askToBuyEnabled"]?.boolean ?? false
    failsTransactions = node["_failTransactionsEnabled"]?.boolean ?? false
    disablesDialogs = node["_disableDialogs"]?.boolean ?? false
    timeRate = node["_timeRate"]?.integer ?? 0
    for entry in node["_storeKitErrors"]?.elements ?? [] {
      guard entry["enabled"]?.boolean == true, let name = entry["name"]?.string else { continue }
      enabledErrors.insert(name)
    }
  }

  private static func country(_ node: JSONNode?) throws(CatalogueProblem) -> CountryCode {
    guard let node, let code = node.string, !code.isEmpty else {
      guard let country = CountryCode("USA") else { preconditionFailure("the table has no USA") }
      return country
    }
    guard let country = CountryCode(code) else {
      throw node.invalid("storefront \(Escaping.quoted(code)) isn't an ISO 3166-1 code")
    }
    return country
  }
}
