import OnsideCatalogue
import OnsideDomain

/// A small catalogue with products of every shape, and what is in it.
struct RandomCatalogue {
  let snapshot: CatalogueSnapshot
  let app: AppHandle

  /// Identifiers of all products, wherever they are sold.
  private(set) var identifiers: [String] = []

  init(products count: Int, using random: inout some RandomNumberGenerator) throws {
    var lines = [header]
    for index in 0..<count {
      let id = Self.identifier(index, using: &random)
      identifiers.append(id)
      lines.append(Self.line(id, using: &random))
    }
    snapshot = try withFile("random.jsonl", Array(lines.joined(separator: "\n").utf8)) { path in
      try CatalogueLoader().load([CatalogueSource(path: path)]).snapshot
    }
    guard let app = snapshot.app("app") else { throw CancellationError() }
    self.app = app
  }

  /// Unlike all others: lengths around those at which encodings and hashes change, and other
  /// letters than ASCII.
  static func identifier(_ index: Int, using random: inout some RandomNumberGenerator) -> String {
    let filler = [("x", 1), ("é", 2), ("商", 3)].randomElement(using: &random) ?? ("x", 1)
    let length = [0, 3, 8, 12, 16, 20, 27, 100, 127, 128, 250].randomElement(using: &random) ?? 0
    let number = String(index)
    let room = max(0, min(length, 255) - number.utf8.count)
    return number + String(repeating: filler.0, count: room / filler.1)
  }

  private static func line(_ id: String, using random: inout some RandomNumberGenerator) -> String {
    let kind = OnsideDomain.ProductKind.allCases.randomElement(using: &random) ?? .consumable
    let storefronts = ["DE", "US", "JP", "gulf"].filter { _ in Bool.random(using: &random) }
    let sold = storefronts.isEmpty ? ["US"] : storefronts
    func prices() -> String {
      sold.map { "\"\($0)\":\"\(Int.random(in: 0...9_999, using: &random))\"" }
        .joined(separator: ",")
    }
    var line =
      "{\"id\":\"\(id)\",\"kind\":\"\(kind.name)\",\"prices\":{\(prices())},\"title\":\"T\(id)\""
    if Bool.random(using: &random) {
      let length = Int.random(in: 1...300, using: &random)
      line += ",\"description\":\"" + String(repeating: "d", count: length) + "\""
    }
    if Bool.random(using: &random) { line += ",\"icon_url\":\"https://x/\(id.utf8.count)\"" }
    if kind == .subscription {
      line += ",\"group\":\"g\",\"period\":\"P1M\""
      for key in ["introductory", "discounted"] where Bool.random(using: &random) {
        line += ",\"\(key)\":{\"period\":\"P1W\",\"prices\":{\(prices())}}"
      }
    }
    return line + "}"
  }
}
