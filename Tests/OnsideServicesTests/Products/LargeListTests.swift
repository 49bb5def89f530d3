import OnsideCatalogue
import OnsideProto
import OnsideServices
import ProtobufWire
import RPC
import Testing

@Suite("Lists that are larger than a message may be")
struct LargeListTests {
  /// A catalogue of products with the longest texts: about 7.5 KB each.
  private static func catalogue(_ count: Int) -> String {
    let header = """
      {"format":"onside-catalogue/1","app":"com.example.shop","storefronts":[{"country":"DE"}]}

      """
    let texts =
      "\"title\":\"\(String(repeating: "t", count: 1_000))\","
      + "\"description\":\"\(String(repeating: "d", count: 4_000))\","
      + "\"icon_url\":\"\(String(repeating: "u", count: 2_000))\""
    return (0..<count).reduce(into: header) { text, index in
      text += "{\"id\":\"item-\(index)\",\"kind\":\"consumable\",\(texts),"
      text += "\"prices\":{\"DE\":\"0.99\"}}\n"
    }
  }

  private func list(
    _ fixture: MarketplaceFixture, _ count: Int
  ) async throws(RPCError) -> ListProductsResponse {
    try await fixture.products.listProducts(
      ListProductsRequest(
        productIdentifiers: (0..<count).map { "item-\($0)" }, appID: TestCatalogue.shop))
  }

  @Test("1,000 products with the longest texts are refused with size, limit and what to do")
  func tooLarge() async throws {
    let fixture = try await MarketplaceFixture(catalogue: Self.catalogue(1_000))
    let error = try await failure { () throws(RPCError) in try await list(fixture, 1_000) }
    #expect(error.code == .resourceExhausted)
    #expect(error.message.contains("4194304"), "\(error)")
    #expect(error.message.contains("ask for fewer product identifiers"), "\(error)")
    let size = error.message.split(separator: " ").compactMap { Int($0) }.first ?? 0
    #expect(size > 7_000_000 && size < 8_000_000, "\(error)")
    // Half of the limit passes, and is whole.
    let answer = try await list(fixture, 500)
    #expect(answer.products.count == 500)
    #expect(answer.products.allSatisfy { $0.description.utf8.count == 4_000 })
  }

  @Test("A list of exactly the limit passes; one byte less room refuses it")
  func atTheLimit() async throws {
    let fixture = try await MarketplaceFixture(catalogue: Self.catalogue(3))
    let size = try await list(fixture, 3).serialized().count
    for (limit, passes) in [(size, true), (size - 1, false)] {
      var registry = MethodRegistry()
      fixture.marketplace.register(in: &registry)
      var configuration = InProcessTransport.Configuration()
      configuration.messageLimit = limit
      let products = ProductsServiceClient(
        try InProcessTransport(registry, configuration: configuration))
      let request = ListProductsRequest(
        productIdentifiers: ["item-0", "item-1", "item-2"], appID: TestCatalogue.shop)
      if passes {
        #expect(try await products.listProducts(request).products.count == 3)
      } else {
        let error = try await failure { () throws(RPCError) in
          try await products.listProducts(request)
        }
        #expect(
          error.message.hasPrefix("the list would have \(size) bytes, more than the \(limit) "))
      }
    }
  }

  @Test("Once another catalogue is in use, no loop that lists nothing holds the old one")
  func idleLoops() async throws {
    let fixture = try await MarketplaceFixture()
    weak let old = fixture.marketplace.catalogue.snapshot
    #expect(try await list(fixture, 1).invalidIdentifiers == ["item-0"])
    #expect(old != nil)
    fixture.marketplace.replaceCatalogue(
      with: try TestCatalogue.snapshot(Self.catalogue(1), in: fixture.folder))
    #expect(old == nil)
    #expect(try await list(fixture, 1).products.count == 1)
  }
}
