import Foundation
import OnsideDomain
import Testing

@testable import OnsideCatalogue

/// Case B50: every version of the format, unknown and missing members, and clear refusals.
@Suite struct StoreKitFileTests {
  /// A file with the given products and further top-level members.
  static func file(_ products: String, _ more: String = "") throws -> StoreKitFile {
    try read("{\"products\":[\(products)]\(more.isEmpty ? "" : "," + more)}")
  }

  static func read(_ text: String) throws -> StoreKitFile {
    try StoreKitFile(bytes: Array(text.utf8), file: "test.storekit")
  }

  static func refusal(_ text: String) throws -> String {
    try #require(throws: CatalogueError.self) { try read(text) }.description
  }

  static func product(_ more: String = "", type: String = "Consumable", price: String = "\"0.99\"")
    -> String
  {
    "{\"productID\":\"a\",\"type\":\"\(type)\",\"displayPrice\":\(price)"
      + (more.isEmpty ? "}" : ",\(more)}")
  }

  // MARK: Real files

  @Test(
    arguments: [
      ("onsidekit-example", 4, "NL", "EUR", 2, 0), ("consumables-v3", 3, "US", "USD", 3, 0),
      ("mixed-v3", 3, "US", "USD", nil, nil), ("mixed-chn-v4", 4, "CN", "CNY", 10, 3),
      ("subscription-v2", 2, "US", "USD", 3, 0), ("subscriptions-v5", 5, "US", "USD", 2, 0),
    ] as [(String, Int, String, String, Int?, Int?)])
  func readsRealFiles(
    name: String, major: Int, country: String, currency: String, products: Int?, notes: Int?
  ) throws {
    guard let folder = SharedFiles.subfolder("storekit") else { return }
    let file = try StoreKitFile(path: folder.appending(path: "\(name).storekit").path)
    #expect(file.version?.major == major)
    #expect(file.storefront.storefront.country.alpha2 == country)
    #expect(file.storefront.currency.code == currency)
    if let products { #expect(file.products.count == products) }
    if let notes { #expect(file.notes.count == notes) }
    #expect(!file.products.isEmpty)
    for product in file.products { #expect(!product.title.isEmpty) }
  }

  @Test func everyRealFileLoadsIntoOneCatalogue() throws {
    guard let folder = SharedFiles.subfolder("storekit") else { return }
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".storekit") }.sorted()
    #expect(files.count >= 6)
    let sources = files.map {
      CatalogueSource(path: folder.appending(path: $0).path, app: "app.\($0)")
    }
    let snapshot = try CatalogueLoader().load(sources).snapshot
    #expect(snapshot.apps.map(\.id) == files.map { "app.\($0)" })
    for app in snapshot.apps {
      let handle = try #require(snapshot.app(app.id))
      var count = 0
      let storefront = snapshot.defaultStorefront(of: handle)
      snapshot.forEachProduct(of: handle, storefront: storefront) { product in
        count += 1
        return snapshot.product(product.identifier, app: handle, storefront: storefront) == product
      }
      #expect(count == app.productCount)
    }
  }

  @Test func takesOffersOfRealFiles() throws {
    guard let folder = SharedFiles.subfolder("storekit") else { return }
    let file = try StoreKitFile(path: folder.appending(path: "mixed-v3.storekit").path)
    let product = try #require(
      file.products.first { $0.identifier == "org.futo.circles.individual_monthly" })
    let free = Money(minorUnits: 0, currency: file.storefront.currency)
    #expect(
      product.introductoryPrice == Period(3, .month).map { PeriodPrice(price: free, period: $0) })
    #expect(
      product.discountedPrice == Period(6, .month).map { PeriodPrice(price: free, period: $0) })
    #expect(product.subscriptionGroup == "9168B5F2")
  }

  // MARK: Our own files

  @Test func readsTheExampleOfVersion4() throws {
    let file = try StoreKitFile(path: Package.example("shop-v4.storekit"))
    #expect(file.version?.description == "4.0")
    #expect(file.settings.locale == "en_GB")
    #expect(file.settings.timeRate == 6)
    #expect(file.products.map(\.title) == ["10 gems", "The map", "Season pass"])
    let pass = try #require(file.products.last)
    let euro = file.storefront.currency
    #expect(pass.subscriptionPeriod == Period(3, .month))
    #expect(pass.introductoryPrice?.price == Money(minorUnits: 99, currency: euro))
    #expect(pass.introductoryPrice?.period == Period(2, .month))
    #expect(pass.discountedPrice?.price == Money(minorUnits: 299, currency: euro))
    #expect(pass.discountedPrice?.period == Period(3, .month))
  }

  @Test func readsTheExampleOfVersion5() throws {
    let file = try StoreKitFile(path: Package.example("shop-v5.storekit"))
    #expect(file.version?.major == 5)
    #expect(file.products.map(\.price.minorUnits) == [750, 980])
    #expect(file.products.last?.introductoryPrice?.period == Period(1, .week))
  }

  @Test(arguments: [(1, 1), (2, 0), (3, 0), (4, 0), (5, 0)])
  func knowsTheVersion(major: Int, minor: Int) throws {
    let file = try Self.file("", "\"version\":{\"major\":\(major),\"minor\":\(minor)}")
    #expect(file.version == StoreKitVersion(major: major, minor: minor))
    #expect(file.notes.isEmpty)
  }

  // MARK: Odd files

  @Test func refusesAnEmptyFile() throws {
    #expect(try Self.refusal("") == "test.storekit: the file is empty")
    #expect(try Self.refusal(" \n") == "test.storekit: the file is empty")
    try withFile("empty.storekit", []) { path in
      let error = #expect(throws: CatalogueError.self) {
        try CatalogueLoader().load([CatalogueSource(path: path)])
      }
      #expect(error?.description == "\(path): the file is empty")
    }
  }

  @Test func everythingButProductsMayBeMissing() throws {
    let file = try Self.read("{}")
    #expect(file.products.isEmpty)
    #expect(file.version == nil)
    #expect(file.storefront.storefront.id == "US")
    #expect(file.storefront.currency.code == "USD")
    #expect(try Self.file("", "\"settings\":{}").storefront.storefront.id == "US")
    #expect(try Self.file("", "\"settings\":null").storefront.storefront.id == "US")
  }

  @Test(arguments: [
    ("", "a"), ("\"referenceName\":null", "a"), ("\"referenceName\":\"R\"", "R"),
    ("\"localizations\":[]", "a"), ("\"localizations\":{},\"referenceName\":\"R\"", "R"),
    ("\"localizations\":null", "a"),
    ("\"localizations\":[{\"displayName\":\"\",\"description\":\"D\",\"locale\":\"en_US\"}]", "a"),
    ("\"localizations\":[{\"displayName\":\"\"}],\"referenceName\":\"R\"", "R"),
    ("\"localizations\":[{\"displayName\":\"X\"}],\"referenceName\":\"R\"", "X"),
  ])
  func findsATitle(members: String, title: String) throws {
    let file = try Self.file(Self.product(members))
    #expect(file.products.map(\.title) == [title])
  }

  @Test(arguments: [
    ("de_DE", "Deutsch"), ("de", "Deutsch"), ("en_GB", "British"), ("en_AU", "American"),
    ("fr", "American"), ("", "American"),
  ])
  func takesTheTextsOfTheLocale(locale: String, title: String) throws {
    let texts = [("en_US", "American"), ("en_GB", "British"), ("de_AT", "Deutsch")].map {
      "{\"locale\":\"\($0)\",\"displayName\":\"\($1)\",\"description\":\"d-\($1)\"}"
    }.joined(separator: ",")
    let file = try Self.file(
      Self.product("\"localizations\":[\(texts)]"), "\"settings\":{\"_locale\":\"\(locale)\"}")
    #expect(file.products.map(\.title) == [title])
    #expect(file.products.map(\.description) == ["d-\(title)"])
  }

  @Test(
    arguments: [
      ("\"0.99\"", "USA", 99), ("\"4900\"", "COL", 490_000), ("\"2\"", "CHN", 200),
      ("4900", "JPN", 4_900),
      ("0.5", "FRA", 50), ("\"1.5\"", "KWT", 1_500), ("\"12\"", "NL", 1_200),
    ] as [(String, String, Int64)])
  func readsPricesInTheStorefrontsCurrency(price: String, storefront: String, minor: Int64) throws {
    let file = try Self.file(
      Self.product(price: price), "\"settings\":{\"_storefront\":\"\(storefront)\"}")
    #expect(file.products.map(\.price.minorUnits) == [minor])
    #expect(file.products.first?.price.currency == file.storefront.currency)
  }

  @Test(arguments: ["AutoRenewable", "RecurringSubscription", "AutoRenewableSubscription"])
  func readsSubscriptionsThatAreInNoGroup(type: String) throws {
    let file = try Self.file(
      Self.product("\"recurringSubscriptionPeriod\":\"P1M\",\"introductoryOffer\":null", type: type)
    )
    #expect(file.products.map(\.kind) == [.subscription])
    #expect(file.products.map(\.subscriptionGroup) == ["a"])
    #expect(file.notes.map(\.text) == ["subscription \"a\" is in no group: a group of its own"])
    #expect(file.products.first?.introductoryPrice == nil)
  }

  @Test func leavesNonRenewingSubscriptionsOutAndSaysSo() throws {
    let file = try Self.read(
      "{\n\"products\":[\(Self.product())],\n\"nonRenewingSubscriptions\":[\n"
        + "\(Self.product(type: "NonRenewingSubscription"))]}")
    #expect(file.products.count == 1)
    #expect(
      file.notes.map(\.description) == [
        "test.storekit:4: product \"a\" is a non-renewing subscription, which the marketplace "
          + "doesn't have: left out"
      ])
    #expect(try Self.file(Self.product(type: "NonRenewingSubscription")).products.isEmpty)
  }

  @Test(
    arguments: [
      ("\"paymentMode\":\"free\",\"subscriptionPeriod\":\"P1W\"", 0, "P1W"),
      (
        "\"paymentMode\":\"free\",\"subscriptionPeriod\":\"P1W\",\"displayPrice\":\"0.99\"", 0,
        "P1W"
      ),
      ("\"paymentMode\":\"free\",\"subscriptionPeriod\":\"P1W\",\"numberOfPeriods\":2", 0, "P2W"),
      (
        "\"paymentMode\":\"payUpFront\",\"subscriptionPeriod\":\"P6M\",\"displayPrice\":\"5\"", 500,
        "P6M"
      ),
      (
        "\"paymentMode\":\"payAsYouGo\",\"subscriptionPeriod\":\"P1M\",\"displayPrice\":\"1\","
          + "\"numberOfPeriods\":3",
        100, "P1M"
      ),
    ] as [(String, Int64, String)])
  func readsIntroductoryOffers(offer: String, minorUnits: Int64, period: String) throws {
    for key in ["\"introductoryOffer\":{\(offer)}", "\"introductoryOffers\":[{\(offer)}]"] {
      let file = try Self.file(
        Self.product("\"recurringSubscriptionPeriod\":\"P1M\",\(key)", type: "AutoRenewable"))
      #expect(file.products.first?.introductoryPrice?.price.minorUnits == minorUnits)
      #expect(file.products.first?.introductoryPrice?.period.iso8601 == period)
    }
  }

  @Test func readsSettings() throws {
    let settings = try Self.file(
      "",
      "\"settings\":{\"_askToBuyEnabled\":true,\"_failTransactionsEnabled\":true,"
        + "\"_disableDialogs\":true,\"_timeRate\":1003,\"_lastSynchronizedDate\":7.5,"
        + "\"_compatibilityTimeRate\":{\"3\":6},\"_storeKitErrors\":[{\"name\":\"Purchase\","
        + "\"enabled\":true,\"current\":null},{\"name\":\"Verification\",\"enabled\":false}]}"
    ).settings
    #expect(settings.asksToBuy)
    #expect(settings.failsTransactions)
    #expect(settings.disablesDialogs)
    #expect(settings.timeRate == 1_003)
    #expect(settings.enabledErrors == ["Purchase"])
  }

  @Test func readsOnInANewerVersionAndSaysSo() throws {
    let file = try Self.file(Self.product(), "\"version\":{\"major\":6,\"minor\":0}")
    #expect(file.products.count == 1)
    #expect(file.notes.map(\.text) == ["format 6.0 is newer than those that are known: 1.1 to 5.0"])
  }

  @Test(arguments: [
    ("[]", "1:1: the file isn't a JSON object"),
    ("{\"products\":[\n{\"type\":\"Consumable\"}]}", "2:1: a product has no \"productID\""),
    ("{\"products\":[\n7]}", "2:1: a product isn't a JSON object"),
    ("{\"products\":[{\"productID\":\"\"}]}", "1:27: product identifier is empty"),
    ("{\"products\":[{\"productID\":\"a\"}]}", "1:14: a product has no \"type\""),
    (
      "{\"products\":[{\"productID\":\"a\",\"type\":\"Gift\"}]}",
      "1:38: type \"Gift\" isn't \"Consumable\", \"NonConsumable\" or \"RecurringSubscription\""
    ),
    (
      "{\"products\":[{\"productID\":\"a\",\"type\":\"Consumable\"}]}",
      "1:14: product \"a\" has no \"displayPrice\""
    ),
    (
      "{\"products\":[{\"productID\":\"a\",\"type\":\"Consumable\",\"displayPrice\":\"free\"}]}",
      "1:66: product \"a\": amount \"free\" isn't a decimal number such as 0.99 or 4900"
    ),
    (
      "{\"products\":[{\"productID\":\"a\",\"type\":\"Consumable\",\"displayPrice\":\"-1\"}]}",
      "1:66: product \"a\": -1.00 USD is below zero"
    ),
    (
      "{\"products\":[{\"productID\":\"a\",\"type\":\"AutoRenewable\",\"displayPrice\":\"1\"}]}",
      "1:14: a subscription has no \"recurringSubscriptionPeriod\""
    ),
    (
      "{\"settings\":{\"_storefront\":\"XXX\"}}",
      "1:28: storefront \"XXX\" isn't an ISO 3166-1 code"
    ),
    ("{\"settings\":{\"_storefront\":\"ATA\"}}", "1:28: storefront ATA has no currency"),
    ("{\"products\":[", "1:14: expected a JSON value, found the end"),
  ])
  func refuses(text: String, expected: String) throws {
    #expect(try Self.refusal(text) == "test.storekit:" + expected)
  }

  @Test func refusesAProductThatIsThereTwice() throws {
    let text = "{\"products\":[\n\(Self.product()),\n\(Self.product())]}"
    try withFile("twice.storekit", Array(text.utf8)) { path in
      let error = #expect(throws: CatalogueError.self) {
        try CatalogueLoader().load([CatalogueSource(path: path)])
      }
      #expect(error?.description == "\(path):3: product \"a\" is in the catalogue already")
    }
  }
}
