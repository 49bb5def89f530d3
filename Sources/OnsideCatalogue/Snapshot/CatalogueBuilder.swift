import OnsideDomain

/// Collects products into the memory of a snapshot to come. Nothing is kept twice.
struct CatalogueBuilder {
  private var arena = RecordArena()
  private var pool: PricePool
  private var apps: [CatalogueApp] = []
  private var indexes: [ProductIndex] = []
  private var common = ProductEncoder()
  private var part = ProductEncoder()

  /// Handles of the product that is being added, by storefront.
  private var handles: [UInt32] = []

  /// How many products there are.
  private(set) var productCount = 0

  static let maximumStorefronts = 255

  init() throws(CatalogueProblem) {
    pool = try PricePool()
  }

  /// The app with an identifier, made if it isn't there.
  mutating func app(_ id: String) throws(CatalogueProblem) -> AppHandle {
    if let place = apps.firstIndex(where: { $0.id == id }) { return AppHandle(index: place) }
    indexes.append(try ProductIndex())
    apps.append(CatalogueApp(id: id, storefronts: [], defaultStorefrontIndex: 0, productCount: 0))
    return AppHandle(index: apps.count - 1)
  }

  /// What is known about an app so far.
  func details(of app: AppHandle) -> CatalogueApp { apps[app.index] }

  /// The place of a storefront in an app, added if it isn't there.
  ///
  /// - Throws: `.duplicate` if the app has a storefront of that identifier with another country or
  ///   currency.
  mutating func storefront(
    _ storefront: CatalogueStorefront, of app: AppHandle
  ) throws(CatalogueProblem) -> Int {
    let known = apps[app.index].storefronts
    if let place = known.firstIndex(where: { $0.storefront.id == storefront.storefront.id }) {
      guard known[place] == storefront else {
        throw CatalogueProblem(
          .duplicate,
          "storefront \(Escaping.quoted(storefront.storefront.id)) is there already, with country "
            + "\(known[place].storefront.country) and currency \(known[place].currency)")
      }
      return place
    }
    guard known.count < Self.maximumStorefronts else {
      throw CatalogueProblem(
        .invalidValue, "an app has more than \(Self.maximumStorefronts) storefronts")
    }
    apps[app.index].storefronts.append(storefront)
    return known.count
  }

  /// Makes a storefront the one of users without a hint.
  mutating func setDefaultStorefront(_ place: Int, of app: AppHandle) {
    apps[app.index].defaultStorefrontIndex = place
  }

  /// Adds a product whose texts are places in `text`.
  ///
  /// - Throws: `.duplicate`, `.invalidValue` for a combination of fields that no product has,
  ///   `.outOfMemory`.
  mutating func add(
    _ draft: ProductDraft, text: UnsafeRawBufferPointer, to app: AppHandle
  ) throws(CatalogueProblem) {
    let kind = try draft.checkedKind()
    let identifier = UnsafeRawBufferPointer(rebasing: text[draft.identifier])
    let hash = IdentifierHash.shared.hash(identifier)
    if indexes[app.index].find(identifier, hash: hash, in: arena) != nil {
      throw CatalogueProblem(
        .duplicate, "product \(Escaping.quoted(identifier)) is in the catalogue already")
    }
    try collectHandles(draft.offers)
    common.reset()
    common.appendCommonPart(draft, kind: kind, text: text)
    guard common.bytes.count <= ProductRecord.maximumCommonLength else {
      throw CatalogueProblem(.invalidValue, "the product's texts have more than 64 KiB")
    }
    let offset = try arena.reserve(
      ProductRecord.size(storefronts: handles.count, commonLength: common.bytes.count))
    write(kind, at: arena.address(offset))
    try indexes[app.index].insert(
      IndexSlot(offset: offset, kind: kind, hash: hash), hash: hash, in: arena)
    apps[app.index].productCount += 1
    productCount += 1
  }

  private mutating func collectHandles(_ offers: [StorefrontOffer]) throws(CatalogueProblem) {
    handles.removeAll(keepingCapacity: true)
    for offer in offers {
      part.reset()
      part.appendStorefrontPart(offer)
      let handle = try pool.handle(part.bytes)
      while handles.count <= offer.storefront { handles.append(0) }
      handles[offer.storefront] = handle
    }
  }

  private func write(_ kind: ProductKind, at address: UnsafeMutableRawPointer) {
    let head = ProductRecord.head(
      commonLength: common.bytes.count, kind: kind, storefronts: handles.count)
    address.storeBytes(of: head, as: UInt32.self)
    var place = address + ProductRecord.headSize
    for handle in handles {
      place.storeBytes(of: handle, as: UInt32.self)
      place += ProductRecord.handleSize
    }
    common.bytes.withUnsafeBytes { bytes in
      UnsafeMutableRawBufferPointer(start: place, count: bytes.count).copyMemory(from: bytes)
    }
  }

  /// The snapshot of everything that was added.
  ///
  /// - Throws: `.outOfMemory`; `.invalidValue` for an app without storefronts.
  consuming func finished() throws(CatalogueProblem) -> CatalogueSnapshot {
    for app in apps where app.storefronts.isEmpty {
      throw CatalogueProblem(.invalidValue, "app \(Escaping.quoted(app.id)) has no storefront")
    }
    for place in indexes.indices { try indexes[place].shrink(arena) }
    let storage = SnapshotStorage(
      arena: arena, prices: try pool.finished(), indexes: indexes,
      storefronts: apps.map(\.storefronts))
    return CatalogueSnapshot(apps: apps, storage: storage)
  }
}

extension CatalogueSnapshot {
  static func withoutApps() -> CatalogueSnapshot {
    do {
      return try CatalogueBuilder().finished()
    } catch {
      // 4 KiB are all that an empty catalogue takes.
      preconditionFailure(error.reason)
    }
  }
}
