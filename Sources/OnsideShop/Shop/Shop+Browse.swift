import OnsideClient
import OnsideDomain

/// Looking at products.
extension Shop {
  /// Shows the products page by page, and sells them.
  func browse() async {
    var identifiers = settings.productIdentifiers
    if identifiers.isEmpty {
      guard let named = await askForIdentifiers() else { return }
      identifiers = named
    }
    var page = 0
    while true {
      let pages = (identifiers.count + settings.pageSize - 1) / settings.pageSize
      page = min(max(0, page), pages - 1)
      let list = await self.page(page, of: identifiers, pages: pages)
      let count = identifiers.count
      let answer = await ask(
        Self.question(page, of: pages), below: { list },
        or: "Enter the number of a product, from 1 to \(count)."
      ) { Self.step($0, page, of: pages, count) }
      switch answer {
      case .end, .empty: return
      case .again: continue
      case .value(.page(let next)): page = next
      case .value(.others):
        if let named = await askForIdentifiers() { (identifiers, page) = (named, 0) }
      case .value(.buy(let place)): await buy(identifiers[place])
      }
    }
  }

  /// What to do with a page of products.
  private enum Step {
    case page(Int)
    case others
    case buy(Int)
  }

  private static func step(_ text: String, _ page: Int, of pages: Int, _ count: Int) -> Step? {
    switch text {
    case "n": page + 1 < pages ? .page(page + 1) : nil
    case "p": page > 0 ? .page(page - 1) : nil
    case "i": .others
    default: place(text, of: count).map { .buy($0) }
    }
  }

  private static func question(_ page: Int, of pages: Int) -> String {
    var ways = ["Number to buy"]
    if page + 1 < pages { ways.append("n next page") }
    if page > 0 { ways.append("p previous page") }
    return (ways + ["i other products", "empty for the menu: "]).joined(separator: ", ")
  }

  /// The service has no list of everything: an app knows what it sells.
  private func askForIdentifiers() async -> [String]? {
    let question = "Identifiers of products, with spaces between, empty to go back: "
    guard let text = await askUntilAnswered(question) else { return nil }
    return text.split(separator: " ").map(String.init)
  }

  private func page(_ page: Int, of identifiers: [String], pages: Int) async -> String {
    let first = page * settings.pageSize
    let shown = Array(identifiers[first..<min(first + settings.pageSize, identifiers.count)])
    do throws(OnsideError) {
      let list = try await marketplace.products(shown)
      for product in list.products { titles[product.identifier] = product.title }
      let place = pages > 1 ? "Page \(page + 1) of \(pages), prices of " : "Prices of "
      return "\n"
        + rows(shown, from: first + 1, list).text(columns: terminal.columns, terminal.style)
        + terminal.style.apply(.dim, to: place + list.storefront.country.alpha2)
    } catch {
      return complaint(error)
    }
  }

  /// What was asked for, in that order, with what the answer says about it.
  private func rows(_ identifiers: [String], from first: Int, _ list: ProductList) -> Listing {
    let products = Dictionary(
      list.products.map { ($0.identifier, $0) }, uniquingKeysWith: { old, _ in old })
    let unsupported = Set(list.unsupportedIdentifiers)
    var listing = Listing(titles: ["Product", "Price", "Kind"], rightAligned: [0])
    for (place, identifier) in identifiers.enumerated() {
      var row = Listing.Row(
        number: "\(first + place)", title: title(identifier), details: [], look: .dim)
      if let product = products[identifier] {
        row.details = [Self.price(product), Self.kind(product.kind)]
        row.look = .plain
      } else if unsupported.contains(identifier) {
        row.details = ["-", "unsupported for an external profile"]
      } else {
        row.details = ["-", "unknown, or not sold in \(list.storefront.country.alpha2)"]
      }
      listing.add(row)
    }
    return listing
  }

  /// What a product is called, as far as that is known.
  func title(_ identifier: String) -> String { titles[identifier] ?? identifier }

  static func kind(_ kind: ProductKind) -> String {
    switch kind {
    case .consumable: "consumable"
    case .nonConsumable: "non-consumable"
    case .subscription: "subscription"
    }
  }

  static func price(_ product: ProductRecord) -> String {
    guard let period = product.subscriptionPeriod else { return "\(product.price)" }
    return "\(product.price) per \(name(period))"
  }

  /// "month", "3 months".
  static func name(_ period: Period) -> String {
    let unit =
      switch period.unit {
      case .day: "day"
      case .week: "week"
      case .month: "month"
      case .year: "year"
      }
    return period.count == 1 ? unit : "\(period.count) \(unit)s"
  }
}
