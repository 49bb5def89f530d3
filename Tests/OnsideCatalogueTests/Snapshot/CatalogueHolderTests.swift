import OnsideDomain
import OnsideProto
import ProtobufWire
import Testing

@testable import OnsideCatalogue

@Suite struct CatalogueHolderTests {
  static func snapshot(price: String) throws -> CatalogueSnapshot {
    try load(
      header, #"{"id":"a","kind":"consumable","title":"A","prices":{"DE":"\#(price)"}}"#)
  }

  static func price(_ lister: ProductLister) throws -> Int64? {
    let app = try #require(lister.snapshot.app("app"))
    let place = ListingPlace.storefront(app, lister.snapshot.defaultStorefront(of: app))
    return try ListProductsResponse(serialized: lister.answer(request(["a"]), place))
      .products.first?.price?.minorUnits
  }

  @Test func listersTakeTheNewestCatalogue() throws {
    let holder = CatalogueHolder(try Self.snapshot(price: "1"))
    let lister = ProductLister(holder)
    #expect(try Self.price(lister) == 100)
    let before = holder.generation
    holder.replace(with: try Self.snapshot(price: "2"))
    #expect(holder.generation == before + 1)
    // A call that has begun keeps its catalogue; the next one reads from the new one.
    #expect(lister.snapshot !== holder.snapshot)
    #expect(try Self.price(lister) == 100 || lister.snapshot === holder.snapshot)
    #expect(try Self.price(lister) == 200)
  }

  @Test func aReplacedCatalogueStaysForThoseWhoHaveIt() throws {
    let holder = CatalogueHolder(try Self.snapshot(price: "1"))
    let old = holder.snapshot
    holder.replace(with: try Self.snapshot(price: "2"))
    let app = try #require(old.app("app"))
    let product = old.product("a", app: app, storefront: old.defaultStorefront(of: app))
    #expect(product?.price.minorUnits == 100)
  }

  @Test func anOldCatalogueGoesWithItsLastReader() throws {
    weak var old: CatalogueSnapshot?
    let holder = CatalogueHolder(.empty)
    let lister = ProductLister(holder)
    do {
      let snapshot = try Self.snapshot(price: "1")
      old = snapshot
      holder.replace(with: snapshot)
    }
    _ = try lister.fields([])
    #expect(old != nil)
    holder.replace(with: .empty)
    #expect(old != nil)
    _ = try lister.fields([])
    #expect(old == nil)
  }

  /// Readers on many threads see one catalogue or the other, whole.
  @Test func isReadWhileItIsReplaced() async throws {
    let holder = CatalogueHolder(try Self.snapshot(price: "1"))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let lister = ProductLister(holder)
          for _ in 0..<300 {
            let snapshot = holder.snapshot
            let app = try #require(snapshot.app("app"))
            let place = snapshot.defaultStorefront(of: app)
            let price = snapshot.product("a", app: app, storefront: place)?.price.minorUnits
            #expect(price == 100 || price == 200)
            _ = try lister.fields(request(["a"]))
          }
        }
      }
      for round in 0..<50 {
        holder.replace(with: try Self.snapshot(price: round.isMultiple(of: 2) ? "2" : "1"))
        await Task.yield()
      }
      try await group.waitForAll()
    }
  }

  @Test func theEmptyCatalogueHasNothing() {
    #expect(CatalogueSnapshot.empty.apps.isEmpty)
    #expect(CatalogueSnapshot.empty.productCount == 0)
    #expect(CatalogueSnapshot.empty.app("app") == nil)
  }
}
