import OnsideDomain

/// Takes a parsed `.storekit` file apart.
struct StoreKitReader {
  let version: StoreKitVersion?
  let settings: StoreKitSettings
  let storefront: CatalogueStorefront
  private(set) var products: [CatalogueProduct] = []
  private(set) var positions: [JSONPosition] = []
  private(set) var notes: [(JSONPosition, String)] = []

  private var currency: Currency { storefront.currency }

  init(_ root: JSONNode) throws(CatalogueProblem) {
    guard case .object = root.value else { throw root.invalid("the file isn't a JSON object") }
    var notes: [(JSONPosition, String)] = []
    let node = root["version"]
    version = node.flatMap { node in
      node["major"]?.integer.map {
        StoreKitVersion(major: $0, minor: node["minor"]?.integer ?? 0)
      }
    }
    if let node, let version, !(1...5).contains(version.major) {
      notes.append(
        (node.position, "format \(version) is newer than those that are known: 1.1 to 5.0"))
    }
    settings = try StoreKitSettings(root["settings"], &notes)
    guard let currency = settings.country.currency else {
      let place = root["settings"]?["_storefront"] ?? root
      throw place.invalid("storefront \(settings.country.alpha3) has no currency")
    }
    storefront = CatalogueStorefront(Storefront(settings.country), currency: currency)
    self.notes = notes
  }

  /// Reads all products of the file.
  mutating func readProducts(_ root: JSONNode) throws(CatalogueProblem) {
    for product in root["products"]?.elements ?? [] {
      try readProduct(product, groupID: nil)
    }
    for product in root["nonRenewingSubscriptions"]?.elements ?? [] { leaveOut(product) }
    for group in root["subscriptionGroups"]?.elements ?? [] {
      let id = group["id"]?.string ?? group["name"]?.string
      for product in group["subscriptions"]?.elements ?? [] {
        try readProduct(product, groupID: id ?? "")
      }
    }
  }

  private mutating func leaveOut(_ node: JSONNode) {
    let id = node["productID"]?.string ?? ""
    notes.append(
      (
        node.position,
        "product \(Escaping.quoted(id)) is a non-renewing subscription, which the marketplace "
          + "doesn't have: left out"
      ))
  }

  /// Reads one product; `groupID` is that of the subscription group that it is in.
  private mutating func readProduct(
    _ node: JSONNode, groupID: String?
  ) throws(CatalogueProblem) {
    guard case .object = node.value else { throw node.invalid("a product isn't a JSON object") }
    let identifier = try identifier(node)
    guard let kind = try kind(node, isInGroup: groupID != nil) else { return leaveOut(node) }
    let texts = StoreKitTexts(node, identifier: identifier, locale: settings.locale)
    var product = CatalogueProduct(
      identifier: identifier, title: try texts.checkedTitle(node),
      description: try texts.checkedDescription(node), kind: kind,
      price: try price(node, of: "product \(Escaping.quoted(identifier))"))
    if kind == .subscription {
      try readSubscription(node, groupID: groupID ?? "", into: &product)
    }
    products.append(product)
    positions.append(node.position)
  }

  private func identifier(_ node: JSONNode) throws(CatalogueProblem) -> String {
    guard let member = node["productID"], let text = member.string else {
      throw node.invalid("a product has no \"productID\"")
    }
    do throws(InvalidIdentifier) {
      try IdentifierRule.productIdentifier.validate(text)
    } catch {
      throw member.invalid(error.description)
    }
    return text
  }

  /// Nil: a kind that the marketplace doesn't have.
  private func kind(
    _ node: JSONNode, isInGroup: Bool
  ) throws(CatalogueProblem) -> ProductKind? {
    guard let member = node["type"] else {
      guard isInGroup else { throw node.invalid("a product has no \"type\"") }
      return .subscription
    }
    switch member.string {
    case "Consumable": return .consumable
    case "NonConsumable": return .nonConsumable
    case "RecurringSubscription", "AutoRenewable", "AutoRenewableSubscription":
      return .subscription
    case "NonRenewingSubscription", "NonRenewable": return nil
    default:
      throw member.invalid(
        "type \(Escaping.quoted(member.decimalText ?? "")) isn't \"Consumable\", \"NonConsumable\" "
          + "or \"RecurringSubscription\"")
    }
  }

  private func price(_ node: JSONNode, of name: String) throws(CatalogueProblem) -> Money {
    guard let member = node["displayPrice"], let text = member.decimalText else {
      throw (node["displayPrice"] ?? node).invalid("\(name) has no \"displayPrice\"")
    }
    do throws(MoneyError) {
      let money = try Money(decimal: text, currency: currency)
      guard money.minorUnits >= 0 else { throw MoneyError(.malformed, "\(money) is below zero") }
      return money
    } catch {
      throw member.invalid("\(name): \(error.message)")
    }
  }

  // MARK: Subscriptions

  private mutating func readSubscription(
    _ node: JSONNode, groupID: String, into product: inout CatalogueProduct
  ) throws(CatalogueProblem) {
    product.subscriptionPeriod = try period(node, "recurringSubscriptionPeriod")
    let group = [node["subscriptionGroupID"]?.string, groupID].compactMap { $0 }
      .first { !$0.isEmpty }
    if let group {
      product.subscriptionGroup = group
    } else {
      notes.append(
        (
          node.position,
          "subscription \(Escaping.quoted(product.identifier)) is in no group: a group of its own"
        ))
      product.subscriptionGroup = product.identifier
    }
    // Version 5 has a list, of which the first is for the plan that everybody gets.
    if let offer = node["introductoryOffer"] ?? node["introductoryOffers"]?.elements.first {
      product.introductoryPrice = try periodPrice(offer, "the introductory offer")
    }
    if let offer = node["adHocOffers"]?.elements.first {
      product.discountedPrice = try periodPrice(offer, "the promotional offer")
    }
  }

  private func period(_ node: JSONNode, _ key: String) throws(CatalogueProblem) -> Period {
    guard let member = node[key], let text = member.string else {
      throw (node[key] ?? node).invalid("a subscription has no \"\(key)\"")
    }
    guard let period = Period(iso8601: text) else {
      throw member.invalid(
        "\"\(key)\" is \(Escaping.quoted(text)), not an ISO 8601 duration such as P1M")
    }
    return period
  }

  /// An offer as a price for a limited time: what is paid at once, and for how long.
  private func periodPrice(
    _ node: JSONNode, _ name: String
  ) throws(CatalogueProblem) -> PeriodPrice {
    let period = try period(node, "subscriptionPeriod")
    let mode = node["paymentMode"]?.string
    let count = mode == "payAsYouGo" ? 1 : node["numberOfPeriods"]?.integer ?? 1
    // Xcode leaves a price in offers that were made free later on.
    let price =
      mode == "free" ? Money(minorUnits: 0, currency: currency) : try price(node, of: name)
    let (total, overflow) = period.count.multipliedReportingOverflow(by: count)
    guard !overflow, let whole = Period(total, period.unit) else {
      throw (node["numberOfPeriods"] ?? node).invalid("\(name) has \(count) periods of \(period)")
    }
    return PeriodPrice(price: price, period: whole)
  }
}
