import OnsideDomain

/// Addresses of everything that a look-up needs: plain values, so that copying them counts no
/// references.
struct SnapshotTables {
  let chunks: UnsafeMutablePointer<UnsafeRawPointer>
  let prices: UnsafeRawPointer
  let apps: UnsafeMutablePointer<AppTable>

  @inline(__always)
  func record(_ offset: Int) -> ProductRecord {
    let chunk = chunks[offset >> Int(RecordArena.chunkBits)]
    return ProductRecord(chunk + offset & (RecordArena.chunkSize - 1))
  }

  /// The record of an identifier; nil if the app has none.
  func find(
    _ identifier: UnsafeRawBufferPointer, hash: UInt64, app: AppHandle
  ) -> ProductRecord? {
    let table = apps[app.index]
    var place = ProductIndex.start(hash, capacity: table.capacity)
    while true {
      let slot = IndexSlot(rawValue: table.slots[place])
      if slot.isFree { return nil }
      if slot.matches(hash) {
        let record = record(slot.offset)
        if record.isNamed(identifier) { return record }
      }
      place = place + 1 == table.capacity ? 0 : place + 1
    }
  }
}

/// Addresses of what an app has.
struct AppTable {
  let slots: UnsafePointer<UInt64>
  let capacity: Int

  /// The storefronts, each encoded as the field `storefront` of a `ListProductsResponse`.
  let storefrontFields: UnsafeMutablePointer<UnsafeRawBufferPointer>
  let storefrontCount: Int
}

/// Owns the memory of a snapshot.
final class SnapshotStorage: @unchecked Sendable {
  let tables: SnapshotTables
  let byteCount: Int

  private let chunks: [AlignedMemory]
  private let prices: GrowableMemory
  private let indexes: [AlignedMemory]

  init(
    arena: RecordArena, prices: GrowableMemory, indexes: [ProductIndex],
    storefronts: [[CatalogueStorefront]]
  ) {
    chunks = arena.chunks
    self.prices = prices
    self.indexes = indexes.map(\.memory)
    byteCount = arena.used + prices.byteCount + indexes.reduce(0) { $0 + $1.memory.byteCount }
    let chunkTable = UnsafeMutablePointer<UnsafeRawPointer>.allocate(capacity: chunks.count + 1)
    for (place, chunk) in chunks.enumerated() {
      (chunkTable + place).initialize(to: UnsafeRawPointer(chunk.address))
    }
    let apps = UnsafeMutablePointer<AppTable>.allocate(capacity: indexes.count + 1)
    for (place, index) in indexes.enumerated() {
      (apps + place).initialize(
        to: AppTable(
          slots: UnsafePointer(index.memory.address.assumingMemoryBound(to: UInt64.self)),
          capacity: index.capacity, storefrontFields: Self.fields(storefronts[place]),
          storefrontCount: storefronts[place].count))
    }
    tables = SnapshotTables(
      chunks: chunkTable, prices: UnsafeRawPointer(prices.address), apps: apps)
  }

  private static func fields(
    _ storefronts: [CatalogueStorefront]
  ) -> UnsafeMutablePointer<UnsafeRawBufferPointer> {
    let fields = UnsafeMutablePointer<UnsafeRawBufferPointer>.allocate(
      capacity: storefronts.count + 1)
    for (place, storefront) in storefronts.enumerated() {
      var encoder = ProductEncoder()
      encoder.append(4, storefront: storefront.storefront)
      let bytes = UnsafeMutableRawBufferPointer.allocate(
        byteCount: encoder.bytes.count, alignment: 1)
      bytes.copyBytes(from: encoder.bytes)
      (fields + place).initialize(to: UnsafeRawBufferPointer(bytes))
    }
    return fields
  }

  deinit {
    for app in 0..<indexes.count {
      let table = tables.apps[app]
      for place in 0..<table.storefrontCount { table.storefrontFields[place].deallocate() }
      table.storefrontFields.deallocate()
    }
    tables.apps.deallocate()
    tables.chunks.deallocate()
  }
}
