import Foundation
import OnsideDomain
import Testing

@testable import OnsideCatalogue

@Suite struct LargeCatalogueTests {
  @Test func hasTheSharesOfKinds() {
    let catalogue = LargeCatalogue()
    let kinds = (0..<2_000).map(catalogue.kind)
    #expect(kinds.count { $0 == .consumable } == 1_200)
    #expect(kinds.count { $0 == .nonConsumable } == 500)
    #expect(kinds.count { $0 == .subscription } == 300)
    #expect(catalogue.identifier(42) == "com.example.shop.item.0000042")
    #expect(catalogue.unknownIdentifier(42) == "com.example.shop.gone.0000042")
  }

  @Test func isReadAsItIsWritten() throws {
    let catalogue = LargeCatalogue(countries: ["DE", "NL"])
    var bytes: [UInt8] = []
    catalogue.write(products: 500) { bytes.append(contentsOf: $0) }
    let snapshot = try withFile("large.jsonl", bytes) { path in
      try CatalogueLoader().load([CatalogueSource(path: path)]).snapshot
    }
    #expect(snapshot.productCount == 500)
    let app = try #require(snapshot.app(catalogue.app))
    let dutch = try #require(snapshot.storefront("NL", of: app))
    for index in 0..<500 {
      let product = snapshot.product(catalogue.identifier(index), app: app, storefront: dutch)
      #expect(product?.kind == catalogue.kind(index))
      #expect(product?.price.minorUnits == Int64(99 + index % 50 * 100))
      #expect((product?.subscriptionPeriod != nil) == (catalogue.kind(index) == .subscription))
    }
  }

  /// Not more than 400 MiB for a million products; measured here with fewer unless asked for.
  @Test func memoryOfAProductIsBounded() throws {
    let isLarge = ProcessInfo.processInfo.environment["ONSIDE_LARGE_TESTS"] != nil
    let products = isLarge ? 1_000_000 : 20_000
    let snapshot = try CatalogueLoader().load(generated: LargeCatalogue(), products: products)
    #expect(snapshot.productCount == products)
    let perProduct = snapshot.byteCount / products
    print("\(products) products: \(perProduct) bytes each")
    #expect(perProduct < 190)
  }
}
