import OnsideDomain

/// Reads the lines of products into drafts.
struct ProductLineReader {
  /// The product of the last line; its texts are places in that line.
  private(set) var draft = ProductDraft()

  /// The storefronts that the lines may name, and their places in the app.
  private let storefronts: [CatalogueStorefront]
  private let ids: [[UInt8]]
  private let places: [Int]

  /// Which keys the line had so far.
  private var seen = 0
  private var introductory = PriceList()
  private var discounted = PriceList()
  private var prices: [StorefrontPrice] = []

  /// A price in a storefront.
  typealias StorefrontPrice = (storefront: Int, price: Money)

  /// Prices for a limited time.
  private struct PriceList {
    var period: Period?
    var prices: [StorefrontPrice] = []
  }

  init(_ storefronts: [CatalogueStorefront], places: [Int]) {
    self.storefronts = storefronts
    self.places = places
    ids = storefronts.map { Array($0.storefront.id.utf8) }
  }

  /// Reads a line.
  mutating func read(_ scanner: inout JSONScanner) throws(CatalogueProblem) {
    draft.reset()
    seen = 0
    introductory = PriceList()
    discounted = PriceList()
    prices.removeAll(keepingCapacity: true)
    var isFirst = true
    try scanner.beginObject()
    while let key = try scanner.nextKey(&isFirst) {
      try readMember(scanner.text(key), &scanner)
    }
    try scanner.finish()
    try collectOffers(scanner)
  }

  private mutating func readMember(
    _ key: String, _ scanner: inout JSONScanner
  ) throws(CatalogueProblem) {
    switch key {
    case "id":
      try once(0, scanner)
      draft.identifier = try text(&scanner, .productIdentifier)
    case "kind":
      try once(1, scanner)
      draft.kind = try kind(&scanner)
    case "title":
      try once(2, scanner)
      draft.title = try text(&scanner, ProductTexts.title)
    case "description":
      try once(3, scanner)
      draft.description = try text(&scanner, ProductTexts.description)
    case "prices":
      try once(4, scanner)
      try readPrices(&scanner, into: &prices)
    case "group":
      try once(5, scanner)
      draft.subscriptionGroup = try text(&scanner, ProductTexts.group)
    case "period":
      try once(6, scanner)
      draft.subscriptionPeriod = try period(&scanner)
    case "introductory":
      try once(7, scanner)
      introductory = try priceList(&scanner)
    case "discounted":
      try once(8, scanner)
      discounted = try priceList(&scanner)
    case "icon_url":
      try once(9, scanner)
      draft.iconURL = try text(&scanner, ProductTexts.iconURL)
    default:
      guard key.hasPrefix("_") else { throw scanner.invalid("unknown key \(Escaping.quoted(key))") }
      try scanner.skipValue()
    }
  }

  private mutating func once(_ key: Int, _ scanner: JSONScanner) throws(CatalogueProblem) {
    guard seen & 1 << key == 0 else { throw scanner.invalid("the key is there twice") }
    seen |= 1 << key
  }

  private func text(
    _ scanner: inout JSONScanner, _ rule: IdentifierRule
  ) throws(CatalogueProblem) -> Range<Int> {
    guard try scanner.peek() == .string else {
      throw scanner.invalid("the \(rule.field) has to be a string")
    }
    let position = scanner.position
    let range = try scanner.string()
    if let invalid = rule.invalid(UnsafeRawBufferPointer(rebasing: scanner.bytes[range])) {
      throw position.invalid(invalid.description)
    }
    return range
  }

  private func kind(_ scanner: inout JSONScanner) throws(CatalogueProblem) -> ProductKind {
    _ = try scanner.peek()
    let position = scanner.position
    let name = scanner.text(try scanner.string())
    guard let kind = ProductKind(name: name) else {
      throw position.invalid(
        "kind \(Escaping.quoted(name)) isn't \"consumable\", \"non-consumable\" or \"subscription\""
      )
    }
    return kind
  }

  private func period(_ scanner: inout JSONScanner) throws(CatalogueProblem) -> Period {
    _ = try scanner.peek()
    let position = scanner.position
    let text = scanner.text(try scanner.string())
    guard let period = Period(iso8601: text) else {
      throw position.invalid(
        "period \(Escaping.quoted(text)) isn't an ISO 8601 duration of days, weeks, months or years"
          + " such as P1M")
    }
    return period
  }

  private func priceList(_ scanner: inout JSONScanner) throws(CatalogueProblem) -> PriceList {
    var list = PriceList()
    var isFirst = true
    try scanner.beginObject()
    while let key = try scanner.nextKey(&isFirst) {
      switch scanner.text(key) {
      case "period": list.period = try period(&scanner)
      case "prices": try readPrices(&scanner, into: &list.prices)
      default: throw scanner.invalid("unknown key \(Escaping.quoted(scanner.text(key)))")
      }
    }
    guard list.period != nil, !list.prices.isEmpty else {
      throw scanner.invalid("a price for a limited time has a \"period\" and \"prices\"")
    }
    return list
  }

  private func readPrices(
    _ scanner: inout JSONScanner, into prices: inout [StorefrontPrice]
  ) throws(CatalogueProblem) {
    guard try scanner.peek() == .object else {
      throw scanner.invalid("prices have to be an object of storefronts and amounts")
    }
    var isFirst = true
    try scanner.beginObject()
    while let key = try scanner.nextKey(&isFirst) {
      let storefront = try place(key, likely: prices.count, scanner)
      guard !prices.contains(where: { $0.storefront == storefront }) else {
        throw scanner.invalid("the storefront has two prices")
      }
      prices.append((storefront, try amount(&scanner, storefronts[storefront].currency)))
    }
  }

  /// The place of a storefront among those of the app. Lines mostly name them in that order.
  private func place(
    _ key: Range<Int>, likely: Int, _ scanner: JSONScanner
  ) throws(CatalogueProblem) -> Int {
    let name = UnsafeRawBufferPointer(rebasing: scanner.bytes[key])
    if likely < ids.count, name.elementsEqual(ids[likely]) { return likely }
    guard let place = ids.firstIndex(where: { name.elementsEqual($0) }) else {
      throw scanner.invalid("storefront \(Escaping.quoted(name)) isn't one of the app's")
    }
    return place
  }

  /// An amount, as a string or a number; either way it is read digit by digit.
  private func amount(
    _ scanner: inout JSONScanner, _ currency: Currency
  ) throws(CatalogueProblem) -> Money {
    let kind = try scanner.peek()
    let position = scanner.position
    guard kind == .string || kind == .number else {
      throw scanner.invalid("a price has to be a string such as \"0.99\"")
    }
    let range = kind == .string ? try scanner.string() : try scanner.number()
    do throws(MoneyError) {
      let money = try Money(
        decimal: UnsafeRawBufferPointer(rebasing: scanner.bytes[range]), currency: currency)
      guard money.minorUnits >= 0 else { throw MoneyError(.malformed, "\(money) is below zero") }
      return money
    } catch {
      throw position.invalid(error.message)
    }
  }

  private mutating func collectOffers(_ scanner: JSONScanner) throws(CatalogueProblem) {
    for (storefront, price) in prices {
      draft.offers.append(StorefrontOffer(storefront: places[storefront], price: price))
    }
    try add(introductory, \.introductoryPrice, scanner)
    try add(discounted, \.discountedPrice, scanner)
  }

  private mutating func add(
    _ list: PriceList, _ field: WritableKeyPath<StorefrontOffer, PeriodPrice?>,
    _ scanner: JSONScanner
  ) throws(CatalogueProblem) {
    guard let period = list.period else { return }
    for (storefront, price) in list.prices {
      guard let offer = draft.offers.firstIndex(where: { $0.storefront == places[storefront] })
      else {
        let id = storefronts[storefront].storefront.id
        throw scanner.invalid(
          "storefront \(Escaping.quoted(id)) has a price for a limited time, and no other")
      }
      draft.offers[offer][keyPath: field] = PeriodPrice(price: price, period: period)
    }
  }
}
