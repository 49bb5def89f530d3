import LoadReporting

/// The identifiers that a load asks for, and what is known of them.
public struct ProductPool: Sendable, Equatable {
  /// What kind of product an identifier stands for.
  public enum Kind: Sendable, Equatable {
    /// External profiles may buy it.
    case consumable

    /// External profiles get it as unsupported.
    case other

    /// The file doesn't say.
    case unknown
  }

  /// An identifier and its kind.
  public struct Item: Sendable, Equatable {
    /// As the catalogue has it.
    public var identifier: String

    /// As the file has it.
    public var kind: Kind

    /// An item.
    public init(_ identifier: String, _ kind: Kind = .unknown) {
      self.identifier = identifier
      self.kind = kind
    }
  }

  /// At least one.
  public let items: [Item]

  /// Places of the items that an external profile may be able to buy; of all, where there is none.
  var buyable: [Int] {
    let buyable = items.indices.filter { items[$0].kind != .other }
    return buyable.isEmpty ? Array(items.indices) : buyable
  }

  /// Places of the items that external profiles may be able to buy, and of those that they can't.
  var splitPlaces: (offered: [Int], others: [Int]) {
    (
      items.indices.filter { items[$0].kind != .other },
      items.indices.filter { items[$0].kind == .other }
    )
  }

  /// - Throws: ``SetupError`` if there is no item.
  public init(_ items: [Item], source: String) throws(SetupError) {
    guard !items.isEmpty else {
      throw SetupError(.products, "\(source): no product identifiers in it")
    }
    self.items = items
  }

  /// Reads a file: a catalogue in JSON Lines, a `.storekit` file, or text with one identifier on
  /// each line, and after a space its kind (`consumable`, or another word).
  ///
  /// - Throws: ``SetupError`` that names the file and, where there is one, the line.
  public init(file path: String) throws(SetupError) {
    guard let text = textFile(path) else {
      throw SetupError(.products, "\(path): can't be read")
    }
    try self.init(Self.items(in: text, path: path), source: path)
  }

  static func items(in text: String, path: String) throws(SetupError) -> [Item] {
    let lines = text.split(whereSeparator: \.isNewline)
    let first = lines.first?.drop(while: \.isWhitespace)
    guard first?.hasPrefix("{") == true else { return try plainItems(lines, path: path) }
    if first?.contains("\"format\"") == true {
      return try catalogueItems(text, path: path)
    }
    return try storeKitItems(text, path: path)
  }

  private static func plainItems(_ lines: [Substring], path: String) throws(SetupError) -> [Item] {
    var items: [Item] = []
    for line in lines {
      let words = line.split(whereSeparator: \.isWhitespace)
      guard let identifier = words.first, !identifier.hasPrefix("#") else { continue }
      guard words.count <= 2 else {
        throw SetupError(
          .products, "\(path): \"\(printable(String(line)))\": expected IDENTIFIER [KIND]")
      }
      items.append(Item(String(identifier), words.count == 2 ? kind(words[1]) : .unknown))
    }
    return items
  }

  /// Lines without an `id` are about apps and storefronts.
  private static func catalogueItems(_ text: String, path: String) throws(SetupError) -> [Item] {
    var items: [Item] = []
    var number = 0
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      number += 1
      if line.allSatisfy(\.isWhitespace) { continue }
      let value: JSONValue
      do throws(JSONError) {
        value = try JSONValue(parsing: String(line))
      } catch {
        throw SetupError(.products, "\(path):\(number):\(error.column): \(error.reason)")
      }
      guard let identifier = value["id"]?.string else { continue }
      items.append(Item(identifier, kind(value["kind"]?.string ?? "")))
    }
    return items
  }

  private static func storeKitItems(_ text: String, path: String) throws(SetupError) -> [Item] {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: text)
    } catch {
      throw SetupError(.products, "\(path):\(error.line):\(error.column): \(error.reason)")
    }
    var items: [Item] = []
    for product in value["products"]?.elements ?? [] {
      guard let identifier = product["productID"]?.string else { continue }
      items.append(Item(identifier, kind(product["type"]?.string ?? "")))
    }
    for group in value["subscriptionGroups"]?.elements ?? [] {
      for product in group["subscriptions"]?.elements ?? [] {
        guard let identifier = product["productID"]?.string else { continue }
        items.append(Item(identifier, .other))
      }
    }
    return items
  }

  private static func kind(_ word: some StringProtocol) -> Kind {
    word.isEmpty ? .unknown : word.lowercased() == "consumable" ? .consumable : .other
  }
}
