import OnsideDomain
import OnsideProto
import OnsideServices
import RPC
import Testing

@Suite("Listing products")
struct ListProductsTests {
  private func list(
    _ fixture: MarketplaceFixture, _ identifiers: [String], _ options: CallOptions = CallOptions(),
    app: String = TestCatalogue.shop, country: String = ""
  ) async throws(RPCError) -> ListProductsResponse {
    try await fixture.products.listProducts(
      ListProductsRequest(
        productIdentifiers: identifiers, appID: app, countryHint: country), options: options)
  }

  private let everything = ["club", "coins", "nothing", "coins", "no-ads", "gems", "nothing"]

  @Test("B42: an external profile gets consumables; the lists are disjoint and keep the order")
  func external() async throws {
    let fixture = try await MarketplaceFixture()
    let answer = try await list(fixture, everything, fixture.session())
    #expect(answer.products.map(\.productIdentifier) == ["coins", "gems"])
    #expect(answer.invalidIdentifiers == ["nothing"])
    #expect(answer.unsupportedIdentifiers == ["club", "no-ads"])
    #expect(answer.storefront == OnsideProto.Storefront(id: "DE-1", countryCode: "DE"))
    let coins = answer.products[0]
    #expect(coins.title == "Coins")
    #expect(coins.kind == .consumable)
    #expect(coins.price == OnsideProto.Money(minorUnits: 499, currencyCode: "EUR", exponent: 2))
  }

  @Test("A regular profile, and somebody without one, gets everything")
  func everybodyElse() async throws {
    let fixture = try await MarketplaceFixture()
    for options in [try await fixture.regularSession(), CallOptions()] {
      let answer = try await list(fixture, everything, options)
      #expect(answer.products.map(\.productIdentifier) == ["club", "coins", "no-ads", "gems"])
      #expect(answer.invalidIdentifiers == ["nothing"])
      #expect(answer.unsupportedIdentifiers == [])
    }
  }

  @Test("B43, B44: prices are the storefront's, which is named")
  func storefronts() async throws {
    let fixture = try await MarketplaceFixture()
    let hinted = try await list(fixture, ["coins", "gems"], country: "JP")
    let session = try await list(fixture, ["coins", "gems"], fixture.session("j", country: "JP"))
    for answer in [hinted, session] {
      #expect(
        answer.products.map(\.price) == [
          OnsideProto.Money(minorUnits: 490, currencyCode: "JPY", exponent: 0)
        ])
      #expect(answer.invalidIdentifiers == ["gems"])
      #expect(answer.storefront == OnsideProto.Storefront(id: "JP", countryCode: "JP"))
    }
    let nowhere = try await list(fixture, ["coins"], country: "FR")
    #expect(nowhere.invalidIdentifiers == ["coins"])
    #expect(nowhere.storefront == OnsideProto.Storefront(id: "FR", countryCode: "FR"))
  }

  @Test("With a session the profile decides about app and storefront, whatever the request says")
  func sessionDecides() async throws {
    let fixture = try await MarketplaceFixture()
    let answer = try await list(
      fixture, ["coins"], fixture.session(app: TestCatalogue.other), app: TestCatalogue.shop,
      country: "not a country")
    #expect(answer.products.map(\.title) == ["Dinars"])
    #expect(answer.products.map(\.price?.exponent) == [3])
  }

  @Test("An app that isn't registered, and a hint that is no country, are refused")
  func refusals() async throws {
    let fixture = try await MarketplaceFixture()
    let unknown = try await failure { () throws(RPCError) in
      try await list(fixture, ["coins"], app: "com.example.nobody")
    }
    #expect(unknown.code == .notFound)
    #expect(unknown.refusalReason == .appNotRegistered)
    let missing = try await failure { () throws(RPCError) in
      try await list(fixture, ["coins"], app: "")
    }
    #expect(missing.refusalReason == .appNotRegistered)
    let hint = try await failure { () throws(RPCError) in
      try await list(fixture, ["coins"], country: "de")
    }
    #expect(hint.code == .invalidArgument)
    #expect(hint.refusalReason == .countryInvalid)
  }

  @Test(
    "An identifier that can't be one refuses the whole call and is named",
    arguments: [
      ["coins", ""], ["coins", String(repeating: "x", count: 256)], ["coins", "a\u{1}"],
    ])
  func badIdentifier(_ identifiers: [String]) async throws {
    let fixture = try await MarketplaceFixture()
    let error = try await failure { () throws(RPCError) in try await list(fixture, identifiers) }
    #expect(error.code == .invalidArgument)
    #expect(error.refusalReason == .productIdentifierInvalid)
    #expect(error.info?.values["position"] == "1")
    #expect(error.message.contains("position 1"))
  }

  @Test("At the limit a call is answered; above it the refusal names count, limit and flag")
  func limit() async throws {
    let fixture = try await MarketplaceFixture { $0.maximumProductIdentifiers = 10 }
    let many = (0..<11).map { "item-\($0)" }
    #expect(try await list(fixture, Array(many.dropLast())).invalidIdentifiers.count == 10)
    let error = try await failure { () throws(RPCError) in try await list(fixture, many) }
    #expect(error.code == .invalidArgument)
    #expect(error.refusalReason == .tooManyProductIdentifiers)
    #expect(error.info?.values == ["count": "11", "limit": "10"])
    #expect(error.message.contains("--max-product-identifiers"))
  }

  @Test("No identifiers give no products, and still the storefront")
  func none() async throws {
    let answer = try await list(MarketplaceFixture(), [])
    #expect(answer.products.isEmpty && answer.invalidIdentifiers.isEmpty)
    #expect(answer.storefront?.id == "DE-1")
  }

  @Test("P2: products, invalid and unsupported make up any request, in its order")
  func partition() async throws {
    let fixture = try await MarketplaceFixture()
    let session = try await fixture.session()
    let seed = UInt64.random(in: 1...UInt64.max)
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let pool = [
      "coins", "gems", "no-ads", "club", "a", "b", "coin", "coinsx", "é", "\u{65}\u{301}",
    ]
    for _ in 0..<200 {
      let request = (0..<Int.random(in: 0...30, using: &generator)).map { _ in
        pool[Int.random(in: 0..<pool.count, using: &generator)]
      }
      let answer = try await list(fixture, request, session)
      let products = answer.products.map(\.productIdentifier)
      var seen: Set<[UInt8]> = []
      let distinct = request.filter { seen.insert(Array($0.utf8)).inserted }
      for part in [products, answer.invalidIdentifiers, answer.unsupportedIdentifiers] {
        let bytes = Set(part.map { Array($0.utf8) })
        #expect(distinct.filter { bytes.contains(Array($0.utf8)) } == part, "seed \(seed)")
      }
      #expect(
        products.count + answer.invalidIdentifiers.count + answer.unsupportedIdentifiers.count
          == distinct.count, "seed \(seed)")
    }
  }
}

/// Random numbers that come again with the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
