import OnsideDomain
import Testing

@testable import OnsideCatalogue

@Suite struct JSONLinesReaderTests {
  static let coins = #"{"id":"coins","kind":"consumable","title":"Coins","prices":{"DE":"0.99"}}"#

  @Test func readsTheExamples() throws {
    let sources = ["shop.jsonl", "reader.jsonl", "shop-v4.storekit", "shop-v5.storekit"].map {
      CatalogueSource(path: Package.example($0))
    }
    let loaded = try CatalogueLoader().load(sources)
    #expect(loaded.notes.isEmpty)
    #expect(
      loaded.snapshot.apps.map(\.id)
        == ["com.example.shop", "com.example.reader", "com.example.reader.kids"])
    #expect(loaded.snapshot.apps.map(\.productCount) == [14, 2, 1])
    let shop = try #require(loaded.snapshot.app("com.example.shop"))
    let storefronts = loaded.snapshot.details(of: shop).storefronts
    #expect(storefronts.map(\.currency.code) == ["EUR", "EUR", "USD", "JPY", "KWD"])
    #expect(loaded.snapshot.details(of: shop).defaultStorefront.storefront.id == "DE")
  }

  @Test func readsEveryField() throws {
    let snapshot = try load(
      header,
      #"{"_note":[1,{}],"id":"a","kind":"subscription","title":"T\u00e9","#
        + #""description":"two\nlines","#
        + #""group":"g","period":"P2M","icon_url":"https://x/y.png","prices":{"DE":"4.5","#
        + #""JP":500},"#
        + #""introductory":{"period":"P1W","prices":{"DE":"0"}},"#
        + #""discounted":{"prices":{"JP":"400"},"period":"P1Y"}}"#)
    let app = try #require(snapshot.app("app"))
    let euro = try #require(Currency("EUR"))
    let yen = try #require(Currency("JPY"))
    var product = CatalogueProduct(
      identifier: "a", title: "Té", description: "two\nlines", kind: .subscription,
      price: Money(minorUnits: 450, currency: euro), subscriptionGroup: "g",
      subscriptionPeriod: Period(2, .month),
      introductoryPrice: PeriodPrice(
        price: Money(minorUnits: 0, currency: euro), period: try #require(Period(1, .week))),
      iconURL: "https://x/y.png")
    let germany = try #require(snapshot.storefront("DE", of: app))
    #expect(snapshot.product("a", app: app, storefront: germany) == product)
    product.price = Money(minorUnits: 500, currency: yen)
    product.introductoryPrice = nil
    product.discountedPrice = PeriodPrice(
      price: Money(minorUnits: 400, currency: yen), period: try #require(Period(1, .year)))
    let japan = try #require(snapshot.storefront("JP", of: app))
    #expect(snapshot.product("a", app: app, storefront: japan) == product)
    let america = try #require(snapshot.storefront("US", of: app))
    #expect(snapshot.product("a", app: app, storefront: america) == nil)
  }

  @Test func toleratesBlankLinesCarriageReturnsAndAByteOrderMark() throws {
    let snapshot = try load("\u{FEFF}" + header + "\r", "", "  \t\r", Self.coins + "\r", "")
    #expect(snapshot.productCount == 1)
  }

  @Test func severalHeadersMayNameOneApp() throws {
    let snapshot = try load(
      header, Self.coins,
      #"{"format":"onside-catalogue/1","app":"b","storefronts":[{"country":"FR"}]}"#,
      Self.coins.replacing("DE", with: "FR"),
      #"{"format":"onside-catalogue/1","app":"app","storefronts":[{"country":"FR"},"#
        + #"{"country":"DE"}],"#
        + #""default_storefront":"FR"}"#,
      #"{"id":"more","kind":"consumable","title":"More","prices":{"FR":"1","DE":"2"}}"#)
    #expect(snapshot.apps.map(\.id) == ["app", "b"])
    let app = try #require(snapshot.app("app"))
    #expect(
      snapshot.details(of: app).storefronts.map(\.storefront.id) == [
        "DE", "US", "JP", "gulf", "FR",
      ])
    #expect(snapshot.details(of: app).defaultStorefront.storefront.id == "FR")
    for (id, storefront, price) in [
      ("coins", "DE", 99), ("coins", "FR", nil), ("more", "FR", 100), ("more", "DE", 200),
      ("more", "US", nil),
    ] as [(String, String, Int64?)] {
      let handle = try #require(snapshot.storefront(storefront, of: app))
      let product = snapshot.product(id, app: app, storefront: handle)
      #expect(product?.price.minorUnits == price)
    }
  }

  static let badProducts: [(String, String)] = [
    (#"{"id":"a""#, "3:10: expected \",\" or \"}\", found the end"),
    (#"["id"]"#, "3:1: expected \"{\", found \"[\""),
    (#"{"id":"a"} {}"#, "3:12: expected the end, found \"{\""),
    (
      #"{"id":"coins","kind":"consumable","title":"x","prices":{"DE":"1"}}"#,
      "3: product \"coins\" is in the catalogue already"
    ),
    (
      #"{"id":"","kind":"consumable","title":"x","prices":{"DE":"1"}}"#,
      "3:7: product identifier is empty"
    ),
    (
      #"{"id":"a\u0007","kind":"consumable"}"#,
      "3:7: product identifier has the control character U+0007 at byte 1: \"a\\u{7}\""
    ),
    (#"{"id":7}"#, "3:7: the product identifier has to be a string"),
    (#"{"id":"a","id":"b"}"#, "3:16: the key is there twice"),
    (
      #"{"id":"a","kind":"gift"}"#,
      "3:18: kind \"gift\" isn't \"consumable\", \"non-consumable\" or \"subscription\""
    ),
    (#"{"id":"a","discription":"x"}"#, "3:25: unknown key \"discription\""),
    (#"{"id":"a","kind":"consumable","title":"x"}"#, "3: the product has no price"),
    (#"{"id":"a","kind":"consumable","title":"x","prices":{}}"#, "3: the product has no price"),
    (#"{"id":"a","kind":"consumable","prices":{"DE":"1"}}"#, "3: the product has no title"),
    (#"{"kind":"consumable","title":"x","prices":{"DE":"1"}}"#, "3: the product has no identifier"),
    (#"{"id":"a","title":"x","prices":{"DE":"1"}}"#, "3: the product has no kind"),
    (#"{"id":"a","prices":{"XX":"1"}}"#, "3:26: storefront \"XX\" isn't one of the app's"),
    (#"{"id":"a","prices":{"DE":"1","DE":"2"}}"#, "3:35: the storefront has two prices"),
    (
      #"{"id":"a","prices":{"DE":"0.999"}}"#,
      "3:26: amount \"0.999\" has more decimals than EUR has (2)"
    ),
    (
      #"{"id":"a","prices":{"JP":"0.99"}}"#,
      "3:26: amount \"0.99\" has more decimals than JPY has (0)"
    ),
    (#"{"id":"a","prices":{"DE":"-1"}}"#, "3:26: -1.00 EUR is below zero"),
    (
      #"{"id":"a","prices":{"DE":1e3}}"#,
      "3:26: amount \"1e3\" isn't a decimal number such as 0.99 or 4900"
    ),
    (#"{"id":"a","prices":{"DE":null}}"#, "3:26: a price has to be a string such as \"0.99\""),
    (#"{"id":"a","prices":[1]}"#, "3:20: prices have to be an object of storefronts and amounts"),
    (
      #"{"id":"a","kind":"subscription","title":"x","period":"P1M","prices":{"DE":"1"}}"#,
      "3: the subscription has no group"
    ),
    (
      #"{"id":"a","kind":"subscription","title":"x","group":"g","prices":{"DE":"1"}}"#,
      "3: the subscription has no period"
    ),
    (
      #"{"id":"a","kind":"consumable","title":"x","group":"g","prices":{"DE":"1"}}"#,
      "3: only subscriptions have a group and a period"
    ),
    (
      #"{"id":"a","kind":"consumable","title":"x","prices":{"DE":"1"},"#
        + #""introductory":{"period":"P1W","prices":{"DE":"0"}}}"#,
      "3: only subscriptions have introductory and discounted prices"
    ),
    (
      #"{"id":"a","period":"P1H"}"#,
      "3:20: period \"P1H\" isn't an ISO 8601 duration of days, weeks, months or years such as P1M"
    ),
    (
      #"{"id":"a","introductory":{"period":"P1W"}}"#,
      "3:42: a price for a limited time has a \"period\" and \"prices\""
    ),
    (
      #"{"id":"a","prices":{"DE":"1"},"discounted":{"period":"P1W","prices":{"US":"1"}}}"#,
      "3:81: storefront \"US\" has a price for a limited time, and no other"
    ),
    (
      #"{"id":"a","title":"x\u0000"}"#,
      "3:19: title has the control character U+0000 at byte 1: \"x\\u{0}\""
    ),
  ]

  /// Each bad line stands third, behind a good header and a good product.
  @Test(arguments: badProducts)
  func refusesProducts(line: String, expected: String) throws {
    let (_, text) = try refusal(header, Self.coins, line)
    #expect(text == "test.jsonl:" + expected)
  }

  static let badHeaders: [(String, String)] = [
    ("", "test.jsonl: the file is empty"),
    ("\n\n", "test.jsonl: the file has no line with \"format\" and \"app\""),
    (coins, "test.jsonl:1:1: the first line has to begin with \"format\" and name the app"),
    (
      #"{"format":"onside-catalogue/2"}"#,
      "test.jsonl:1:11: the format isn't \"onside-catalogue/1\""
    ),
    (#"{"format":"onside-catalogue/1"}"#, "test.jsonl:1:1: \"app\" has to be a string"),
    (#"{"format":"onside-catalogue/1","app":""}"#, "test.jsonl:1:38: app identifier is empty"),
    (
      #"{"format":"onside-catalogue/1","app":"a"}"#,
      "test.jsonl:1:1: \"storefronts\" has to be a list of at least one"
    ),
    (
      #"{"format":"onside-catalogue/1","app":"a","storefronts":[]}"#,
      "test.jsonl:1:56: \"storefronts\" has to be a list of at least one"
    ),
    (
      #"{"format":"onside-catalogue/1","app":"a","storefronts":[{"country":"DEU"}]}"#,
      "test.jsonl:1:68: \"country\" has to be an ISO 3166-1 alpha-2 code in upper case"
    ),
    (
      #"{"format":"onside-catalogue/1","app":"a","storefronts":[{"country":"DE","#
        + #""currency":"DM"}]}"#,
      "test.jsonl:1:84: \"currency\" has to be an ISO 4217 code in upper case"
    ),
    (
      #"{"format":"onside-catalogue/1","app":"a","storefronts":[{"country":"AQ"}]}"#,
      "test.jsonl:1:57: AQ has no currency of its own: name one as \"currency\""
    ),
    (
      #"{"format":"onside-catalogue/1","app":"a","storefronts":[{"country":"DE"},"#
        + #"{"country":"DE"}]}"#,
      "test.jsonl:1:74: storefront \"DE\" is in the list twice"
    ),
    (
      #"{"format":"onside-catalogue/1","app":"a","storefronts":[{"country":"DE"}],"#
        + #""default_storefront":"FR"}"#,
      "test.jsonl:1:96: the default storefront isn't among the storefronts"
    ),
    (
      #"{"format":"onside-catalogue/1","app":"a","storefront":[]}"#,
      "test.jsonl:1:55: unknown key \"storefront\""
    ),
    (
      header + "\n"
        + #"{"format":"onside-catalogue/1","app":"app","storefronts":[{"country":"DE","#
        + #""currency":"USD"}]}"#,
      "test.jsonl:2: storefront \"DE\" is there already, with country DE and currency EUR"
    ),
  ]

  @Test(arguments: badHeaders)
  func refusesHeaders(content: String, expected: String) throws {
    #expect(try refusal(content).text == expected)
  }

  @Test func errorsHaveACode() throws {
    #expect(try refusal(header, "{").error.code == .malformed)
    #expect(try refusal(header, "{\"id\":\"\"}").error.code == .invalidValue)
    #expect(try refusal(header, Self.coins, Self.coins).error.code == .duplicate)
  }

  @Test func countsLinesThroughManyChunks() throws {
    let lines = (0..<14_000).map { Self.coins.replacing("coins", with: "coins.\($0)") }
    let (error, _) = try refusal(([header] + lines + ["oops"]).joined(separator: "\n"))
    #expect(error.line == 14_002)
    #expect(error.column == 1)
  }
}
