import TestSupport
import OnsideDomain
import Testing

@testable import OnsideCatalogue

@Suite struct CatalogueSnapshotTests {
  @Test func looksStorefrontsUp() throws {
    let snapshot = try load(
      #"{"format":"onside-catalogue/1","app":"app","storefronts":[{"id":"eu","country":"DE"},"#
        + #"{"id":"alps","country":"CH"},{"id":"eu2","country":"DE"}],"default_storefront":"alps"}"#
    )
    let app = try #require(snapshot.app("app"))
    let germany = try #require(CountryCode("DE"))
    #expect(snapshot.storefront(in: germany, of: app) == snapshot.storefront("eu", of: app))
    #expect(snapshot.defaultStorefront(of: app) == snapshot.storefront("alps", of: app))
    #expect(snapshot.storefront("DE", of: app) == nil)
    #expect(snapshot.storefront(in: try #require(CountryCode("US")), of: app) == nil)
    let alps = try #require(snapshot.storefront("alps", of: app))
    #expect(snapshot.details(of: alps, of: app).currency.code == "CHF")
    #expect(snapshot.app("other") == nil)
  }

  @Test func oneIdentifierInTwoAppsIsTwoProducts() throws {
    let snapshot = try CatalogueLoader().load([
      CatalogueSource(path: Package.example("reader.jsonl"))
    ]).snapshot
    let titles = try ["com.example.reader", "com.example.reader.kids"].map { id in
      let app = try #require(snapshot.app(id))
      let britain = try #require(snapshot.storefront("GB", of: app))
      return snapshot.product("com.example.reader.book.1", app: app, storefront: britain)?.title
    }
    #expect(titles == ["Don Quijote de la Mancha", "Don Quixote for children"])
  }

  @Test func findsEveryProductAndNoOther() throws {
    var random = SeededGenerator(seed: 11)
    let catalogue = try RandomCatalogue(products: 800, using: &random)
    var found = 0
    for storefront in ["DE", "US", "JP", "gulf"] {
      let handle = try #require(catalogue.snapshot.storefront(storefront, of: catalogue.app))
      for identifier in catalogue.identifiers {
        let product = catalogue.snapshot.product(
          identifier, app: catalogue.app, storefront: handle)
        if let product {
          found += 1
          #expect(product.identifier == identifier)
          #expect(product.title == "T" + identifier)
        }
        let other = catalogue.snapshot.product(
          "-" + identifier, app: catalogue.app, storefront: handle)
        #expect(other == nil)
      }
    }
    #expect(found > 800)
    #expect(catalogue.snapshot.productCount == 800)
  }

  /// Enough records for several blocks of memory.
  @Test func recordsSpanManyBlocks() throws {
    let description = String(repeating: "d", count: 3_900)
    let lines = (0..<2_500).map {
      #"{"id":"p\#($0)","kind":"consumable","title":"t","description":"\#(description)","#
        + #""prices":{"DE":"\#($0)"}}"#
    }
    let snapshot = try load(([header] + lines).joined(separator: "\n"))
    let app = try #require(snapshot.app("app"))
    let germany = snapshot.defaultStorefront(of: app)
    for index in 0..<2_500 {
      let product = snapshot.product("p\(index)", app: app, storefront: germany)
      #expect(product?.price.minorUnits == Int64(index) * 100)
      #expect(product?.description.utf8.count == 3_900)
    }
  }
}
