import OnsideDomain

/// A catalogue of any size in JSON Lines, for measuring: always the same products.
///
/// Of 20 products 12 are consumables, 5 non-consumables and 3 subscriptions. Each costs between
/// 0.99 and 49.99 EUR in every storefront whose currency is the euro.
public struct LargeCatalogue: Sendable {
  public let app: String
  public let countries: [CountryCode]

  /// A catalogue of an app that sells in Germany, and in further countries that pay in euro.
  public init(app: String = "com.example.shop", countries: [String] = ["DE"]) {
    self.app = app
    self.countries = countries.compactMap { CountryCode($0) }
  }

  /// The identifier of a product: `com.example.shop.item.0000042`.
  public func identifier(_ index: Int) -> String { numbered("\(app).item.", index) }

  /// An identifier of the same length that the catalogue doesn't have.
  public func unknownIdentifier(_ index: Int) -> String { numbered("\(app).gone.", index) }

  /// The kind of a product.
  public func kind(_ index: Int) -> ProductKind {
    switch index % 20 {
    case 0..<12: .consumable
    case 12..<17: .nonConsumable
    default: .subscription
    }
  }

  private func numbered(_ prefix: String, _ index: Int) -> String {
    let digits = String(index)
    return prefix + String(repeating: "0", count: max(0, 7 - digits.utf8.count)) + digits
  }

  /// The first line: the app and its storefronts.
  public var header: String {
    let storefronts = countries.map { "{\"country\":\"\($0)\"}" }.joined(separator: ",")
    return "{\"format\":\"\(HeaderLine.format)\",\"app\":\"\(app)\","
      + "\"storefronts\":[\(storefronts)]}\n"
  }

  /// The line of a product.
  public func line(_ index: Int) -> String {
    let kind = kind(index)
    let price = "\(index % 50).99"
    let prices = countries.map { "\"\($0)\":\"\(price)\"" }.joined(separator: ",")
    let subscription =
      kind == .subscription ? ",\"group\":\"shop.premium\",\"period\":\"P1M\"" : ""
    return "{\"id\":\"\(identifier(index))\",\"kind\":\"\(kind.name)\","
      + "\"title\":\"\(numbered("Shop item no ", index))\",\"description\":\""
      + numbered("Everything that you could wish for, in one small box, and it is item no ", index)
      + "\",\"prices\":{\(prices)}\(subscription)}\n"
  }

  /// Writes the header and `products` lines through `write`, in pieces of about a megabyte.
  public func write<Failure: Error>(
    products: Int, _ write: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    var bytes = Array(header.utf8)
    for index in 0..<products {
      bytes.append(contentsOf: line(index).utf8)
      guard bytes.count >= 1 << 20 || index == products - 1 else { continue }
      try bytes.span.bytes.withUnsafeBytes(write)
      bytes.removeAll(keepingCapacity: true)
    }
    if !bytes.isEmpty { try bytes.span.bytes.withUnsafeBytes(write) }
  }
}
