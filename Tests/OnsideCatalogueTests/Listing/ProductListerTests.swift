import TestSupport
import OnsideDomain
import OnsideProto
import ProtobufWire
import Testing

@testable import OnsideCatalogue

@Suite struct ProductListerTests {
  // MARK: Against a reference

  @Test(arguments: [(UInt64(1), 0), (2, 1), (3, 7), (4, 60), (5, 400), (6, 1_000)])
  func answersAsTheReferenceDoes(seed: UInt64, products: Int) throws {
    var random = SeededGenerator(seed: seed)
    let catalogue = try RandomCatalogue(products: products, using: &random)
    let lister = ProductLister(CatalogueHolder(catalogue.snapshot))
    for storefront in catalogue.snapshot.details(of: catalogue.app).storefronts {
      let handle = try #require(
        catalogue.snapshot.storefront(storefront.storefront.id, of: catalogue.app))
      var sold: [String: CatalogueProduct] = [:]
      catalogue.snapshot.forEachProduct(of: catalogue.app, storefront: handle) { product in
        sold[product.identifier] = product
        return true
      }
      for profile in OnsideDomain.ProfileKind.allCases {
        let reference = ReferenceListing(
          products: sold, storefront: storefront.storefront, profile: profile)
        for _ in 0..<15 {
          let message = Self.randomRequest(catalogue.identifiers, using: &random)
          let bytes = try lister.answer(
            message.serialized(), .storefront(catalogue.app, handle), for: profile)
          let response = try ListProductsResponse(serialized: bytes)
          #expect(response == reference.answer(message), "seed \(seed)")
          Self.expectParts(of: response, toMakeUp: message)
        }
      }
    }
  }

  private static func randomRequest(
    _ known: [String], using random: inout SeededGenerator
  ) -> ListProductsRequest {
    var message = ListProductsRequest()
    for _ in 0..<Int.random(in: 0...300, using: &random) {
      let isKnown = Int.random(in: 0..<4, using: &random) > 0
      let other = RandomCatalogue.identifier(.random(in: 0..<50, using: &random), using: &random)
      message.productIdentifiers.append(
        isKnown ? known.randomElement(using: &random) ?? other : "?" + other.prefix(40))
    }
    return message
  }

  /// The lists are disjoint, together the request without duplicates, and in its order.
  private static func expectParts(
    of response: ListProductsResponse, toMakeUp message: ListProductsRequest
  ) {
    let lists = [
      response.products.map(\.productIdentifier), response.invalidIdentifiers,
      response.unsupportedIdentifiers,
    ]
    var order: [String: Int] = [:]
    for identifier in message.productIdentifiers where order[identifier] == nil {
      order[identifier] = order.count
    }
    #expect(lists.joined().count == order.count)
    #expect(Set(lists.joined()) == Set(order.keys))
    for list in lists {
      let places = list.compactMap { order[$0] }
      #expect(places == places.sorted())
    }
  }

  /// What this module encodes by hand is what a message of the same content looks like.
  @Test func answersAreEncodedAsMessagesAre() throws {
    let (lister, place) = try Self.small()
    let bytes = try lister.answer(
      request(["coins", "gone", "coins", "ads"]), place, for: .external)
    let response = try ListProductsResponse(serialized: bytes)
    #expect(response.unknownFields.isEmpty)
    #expect(response.serialized().count == bytes.count)
    #expect(response.products.map(\.title) == ["Coins"])
    #expect(response.products.first?.price?.minorUnits == 99)
    #expect(response.invalidIdentifiers == ["gone"])
    #expect(response.unsupportedIdentifiers == ["ads"])
    #expect(response.storefront?.countryCode == "DE")
  }

  // MARK: A small catalogue

  static func small(limit: Int = 1_000) throws -> (ProductLister, ListingPlace) {
    let snapshot = try load(
      header,
      #"{"id":"coins","kind":"consumable","title":"Coins","prices":{"DE":"0.99","JP":"1"}}"#,
      #"{"id":"ads","kind":"non-consumable","title":"No ads","prices":{"DE":"4.99"}}"#)
    let app = try #require(snapshot.app("app"))
    let lister = ProductLister(CatalogueHolder(snapshot), maximumIdentifiers: limit)
    return (lister, .storefront(app, snapshot.defaultStorefront(of: app)))
  }

  @Test func answersAnEmptyRequestWithTheStorefront() throws {
    let (lister, place) = try Self.small()
    let response = try ListProductsResponse(serialized: lister.answer([], place))
    var expected = ListProductsResponse()
    expected.storefront = OnsideProto.Storefront()
    expected.storefront?.id = "DE"
    expected.storefront?.countryCode = "DE"
    #expect(response == expected)
  }

  /// Not sold here is invalid, also for a profile that couldn't buy it anywhere.
  @Test func whatIsNotSoldHereIsInvalid() throws {
    let (lister, _) = try Self.small()
    let app = try #require(lister.snapshot.app("app"))
    let japan = try #require(lister.snapshot.storefront("JP", of: app))
    let response = try ListProductsResponse(
      serialized: lister.answer(request(["ads", "coins"]), .storefront(app, japan), for: .external))
    #expect(response.invalidIdentifiers == ["ads"])
    #expect(response.products.map(\.productIdentifier) == ["coins"])
    #expect(response.products.first?.price?.currencyCode == "JPY")
  }

  @Test func elsewhereEverythingIsInvalid() throws {
    let (lister, _) = try Self.small()
    let country = try #require(CountryCode("FR"))
    let response = try ListProductsResponse(
      serialized: lister.answer(
        request(["coins", "ads", "coins"]), .elsewhere(OnsideDomain.Storefront(country))))
    #expect(response.products.isEmpty)
    #expect(response.invalidIdentifiers == ["coins", "ads"])
    #expect(response.storefront?.id == "FR")
  }

  // MARK: Refusals

  @Test func refusesTooManyIdentifiersAndNamesTheLimit() throws {
    let (lister, place) = try Self.small(limit: 3)
    #expect(!(try lister.answer(request(["a", "b", "c"]), place).isEmpty))
    let error = #expect(throws: ListingError.self) {
      try lister.answer(request(["a", "a", "a", "a", "\n"]), place)
    }
    #expect(error == .tooManyIdentifiers(count: 5, limit: 3))
    #expect(error?.reason == .tooManyProductIdentifiers)
    #expect(error?.description.contains("5") == true && error?.description.contains("3") == true)
  }

  @Test(arguments: [
    ([] as [UInt8], InvalidIdentifier.Problem.empty),
    ([UInt8](repeating: 0x78, count: 256), .tooLong(bytes: 256, limit: 255)),
    ([0x61, 0x1F], .controlCharacter("\u{1F}", offset: 1)),
    (Array("com.example.shop.item\u{7F}".utf8), .controlCharacter("\u{7F}", offset: 21)),
    (Array("com.example.shop.item.\u{9F}.more".utf8), .controlCharacter("\u{9F}", offset: 22)),
    ([0x61, 0x62, 0xFF], .invalidUTF8(offset: 2)),
  ])
  func refusesAnIdentifierAndNamesIt(bytes: [UInt8], problem: InvalidIdentifier.Problem) throws {
    let (lister, place) = try Self.small()
    var encoded = request(["coins", "ads"])
    encoded.append(0x0A)
    if bytes.count > 127 { encoded.append(UInt8(bytes.count & 0x7F) | 0x80) }
    encoded.append(UInt8(bytes.count > 127 ? bytes.count >> 7 : bytes.count))
    encoded += bytes
    let error = #expect(throws: ListingError.self) { try lister.answer(encoded, place) }
    guard case .invalidIdentifier(let invalid)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(invalid.problem == problem)
    #expect(invalid.position == 2)
    #expect(error?.reason == .productIdentifierInvalid)
    // The next call is answered as if nothing had been.
    #expect(!(try lister.answer(request(["coins"]), place).isEmpty))
  }

  /// Each control character at each place of a word, in the middle of a long identifier.
  @Test func noControlCharacterSlipsThrough() throws {
    let (lister, place) = try Self.small()
    for value in Array(UInt8(0)..<0x20) + [0x7F] {
      for offset in 0..<24 {
        var text = [UInt8](repeating: 0x41, count: 24)
        text[offset] = value
        #expect(throws: ListingError.self) {
          try lister.answer([0x0A, 24] + text, place)
        }
      }
    }
    for value in UInt8(0x20)..<0x7F {
      _ = try lister.answer([0x0A, 24] + [UInt8](repeating: value, count: 24), place)
    }
  }

  // MARK: The wire

  @Test func findsTheOtherFields() throws {
    let (lister, _) = try Self.small()
    var message = ListProductsRequest()
    message.productIdentifiers = ["a", "b"]
    message.appID = "app"
    message.countryHint = "JP"
    let bytes = message.serialized()
    let fields = try lister.fields(bytes)
    #expect(fields.identifierCount == 2)
    #expect(fields.appID.map { Array(bytes[$0]) } == Array("app".utf8))
    #expect(fields.countryHint.map { Array(bytes[$0]) } == Array("JP".utf8))
    #expect(try lister.fields([]) == ListingFields())
    // The last one counts.
    let twice = try lister.fields([0x12, 1, 0x61, 0x12, 1, 0x62])
    #expect(twice.appID == 5..<6)
  }

  @Test(
    arguments: [
      [0x08, 0x05], [0x0D, 1, 2, 3, 4], [0x09, 1, 2, 3, 4, 5, 6, 7, 8], [0x0B, 0x08, 0x01, 0x0C],
      [0x10, 0x05], [0x18, 0x05], [0xF8, 0x07, 0x96, 0x01], [0xA2, 0x06, 3, 0x0A, 1, 0x7A],
      [0xA3, 0x06, 0x0A, 1, 0x7A, 0xA4, 0x06],
    ] as [[UInt8]])
  func skipsUnknownFieldsAndWrongWireTypes(field: [UInt8]) throws {
    let (lister, place) = try Self.small()
    let plain = request(["coins"])
    let expected = try lister.answer(plain, place)
    #expect(try lister.answer(field + plain, place) == expected)
    #expect(try lister.answer(plain + field, place) == expected)
  }

  @Test(
    arguments: [
      [0x0A], [0x0A, 5, 0x61], [0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
      [0x00], [0x0F], [0x0E], [0x0C], [0x0B], [0x12, 1, 0xFF], [0x1A, 2, 0xC0, 0x80], [0x12, 9],
      [0x80], [0x0A, 0x80],
    ] as [[UInt8]])
  func refusesWhatIsNoMessage(bytes: [UInt8]) throws {
    let (lister, place) = try Self.small()
    for encoded in [bytes, request(["coins"]) + bytes] {
      let error = #expect(throws: ListingError.self) { try lister.answer(encoded, place) }
      guard case .malformed? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(error?.reason == nil)
    }
  }

  @Test func takesLengthsOfMoreBytesThanNeeded() throws {
    let (lister, place) = try Self.small()
    let long: [UInt8] = [0x8A, 0x80, 0x00, 0x85, 0x80, 0x00] + Array("coins".utf8)
    #expect(try lister.answer(long, place) == lister.answer(request(["coins"]), place))
  }

  /// Whatever bytes come, the answer is a whole response or an error, never a trap.
  @Test func survivesDamagedRequests() throws {
    let (lister, place) = try Self.small()
    var random = SeededGenerator(seed: 7)
    var message = ListProductsRequest()
    message.productIdentifiers = ["coins", "ads", "gone", String(repeating: "x", count: 200)]
    message.appID = "app"
    let whole = message.serialized()
    var answered = 0
    for _ in 0..<5_000 {
      var bytes = Array(whole.prefix(.random(in: 0...whole.count, using: &random)))
      for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
        bytes[.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      guard let answer = try? lister.answer(bytes, place) else { continue }
      _ = try ListProductsResponse(serialized: answer)
      answered += 1
    }
    #expect(answered > 20)
  }

  @Test func growsForLongRequests() throws {
    let (lister, place) = try Self.small(limit: 10_000)
    let identifiers = (0..<10_000).map { "x\($0)" }
    let response = try ListProductsResponse(serialized: lister.answer(request(identifiers), place))
    #expect(response.invalidIdentifiers == identifiers)
  }
}
