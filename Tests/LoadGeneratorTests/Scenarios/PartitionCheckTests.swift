import LoadReporting
import OnsideProto
import ProtobufWire
import Testing

@testable import LoadGenerator

@Suite struct PartitionCheckTests {
  private let query = ProductQuery([
    ("coins", .offered), ("gone", .invalid), ("vip", .notOffered), ("gems", .offered),
    ("odd", .any),
  ])

  private func response(
    _ products: [String], _ invalid: [String], _ unsupported: [String]
  ) -> ListProductsResponse {
    ListProductsResponse(
      products: products.map { Product(productIdentifier: $0, title: "a title") },
      invalidIdentifiers: invalid, unsupportedIdentifiers: unsupported,
      storefront: Storefront(id: "DE", countryCode: "DE"))
  }

  private func problem(_ response: ListProductsResponse) throws -> String? {
    var check = PartitionCheck()
    return try response.serialized().withUnsafeBytes { try check.problem($0, of: query) }
  }

  @Test func rightPartitions() throws {
    #expect(try problem(response(["coins", "gems", "odd"], ["gone"], ["vip"])) == nil)
    // Not sold in this storefront.
    #expect(try problem(response(["gems"], ["coins", "gone", "odd"], ["vip"])) == nil)
    #expect(try problem(response(["coins", "gems"], ["gone"], ["vip", "odd"])) == nil)
  }

  @Test(
    arguments: [
      (["coins", "gems"], ["gone"], ["vip"], "1 of the identifiers are in no list"),
      (["coins", "coins", "gems", "odd"], ["gone"], ["vip"], "\"coins\" is in the answer twice"),
      (["coins", "gems", "odd"], ["coins", "gone"], ["vip"], "\"coins\" is in the answer twice"),
      (["gems", "coins", "odd"], ["gone"], ["vip"], "\"coins\" is out of the request's order"),
      (["coins", "vip", "gems", "odd"], ["gone"], [], "\"vip\" is among the products"),
      (["coins", "odd"], ["gone"], ["vip", "gems"], "\"gems\" is among the unsupported"),
      (["coins", "gone", "gems", "odd"], [], ["vip"], "\"gone\" is among the products"),
      (
        ["coins", "gems", "odd", "x"], ["gone"], ["vip"],
        "\"x\" is in the answer and wasn't asked for"
      ),
      (["", "coins"], [], [], "\"\" is in the answer and wasn't asked for"),
      ([], [], [], "5 of the identifiers are in no list"),
    ] as [([String], [String], [String], String)])
  func wrongPartitions(
    _ products: [String], _ invalid: [String], _ unsupported: [String], _ wanted: String
  ) throws {
    #expect(try problem(response(products, invalid, unsupported)) == wanted)
  }

  @Test func oneCheckServesManyAnswers() throws {
    var check = PartitionCheck()
    let right = response(["coins", "gems", "odd"], ["gone"], ["vip"]).serialized()
    let wrong = response(["coins"], [], []).serialized()
    for _ in 0..<3 {
      #expect(try right.withUnsafeBytes { try check.problem($0, of: query) } == nil)
      #expect(try wrong.withUnsafeBytes { try check.problem($0, of: query) } != nil)
    }
  }

  @Test func truncatedAnswersAreErrors() {
    let bytes = response(["coins", "gems", "odd"], ["gone"], ["vip"]).serialized()
    var check = PartitionCheck()
    #expect(throws: WireError.self) {
      try Array(bytes.dropLast()).withUnsafeBytes { try check.problem($0, of: query) }
    }
  }

  @Test func queriesAreRandomAndDistinct() throws {
    let pool = try ProductPool((0..<500).map { .init("p\($0)", .consumable) }, source: "test")
    var random = SeededRandom(seed: 1)
    let queries = ProductQuery.make(10, of: 100, from: pool, unknownShare: 0.05, random: &random)
    for query in queries {
      #expect(query.fingerprints.count == 100)
      #expect(Set(query.fingerprints).count == 100)
      #expect(query.expectations.count { $0 == .invalid } == 5)
      for (place, fingerprint) in query.fingerprints.enumerated() {
        #expect(query.place(of: fingerprint) == place)
      }
    }
    #expect(Set(queries.map(\.request)).count == 10)
  }

  @Test func smallPoolsAreFilledUpWithUnknownIdentifiers() throws {
    let pool = try ProductPool([.init("a"), .init("b")], source: "test")
    var random = SeededRandom(seed: 1)
    let queries = ProductQuery.make(3, of: 100, from: pool, unknownShare: 0, random: &random)
    for query in queries {
      #expect(query.fingerprints.count == 100)
      #expect(query.expectations.count { $0 == .invalid } == 98)
    }
  }
}
