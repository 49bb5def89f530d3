import OnsideDomain

/// Answers calls of `ListProducts` from their encoded requests with encoded responses.
///
/// A call takes three steps: `read` the request, `plan` the response, which gives its size, and
/// `write` it where it belongs. The request's bytes have to stay where they are until then. A
/// lister belongs to one event loop or thread: it keeps its memory from call to call, and the
/// snapshot until there is a newer one, so that a call allocates nothing and counts no references.
public final class ProductLister {
  /// The most identifiers that a call may ask for, duplicates included.
  public let maximumIdentifiers: Int

  /// The catalogue that the call in progress is answered from. `read` looks for a newer one.
  public private(set) var snapshot: CatalogueSnapshot

  private let holder: CatalogueHolder
  private var generation: UInt64
  var tables: SnapshotTables

  /// Kept here because the shared one is behind a check that it was made.
  let hash = IdentifierHash.shared

  var scratch: ListingScratch

  /// The call in progress: its bytes, and how many distinct identifiers are among the items.
  var request = UnsafeRawBufferPointer(start: nil, count: 0)
  var count = 0

  /// The field `storefront` of the response, and its own memory if the catalogue has none of it.
  var storefrontField = UnsafeRawBufferPointer(start: nil, count: 0)
  var elsewhere = UnsafeMutableRawBufferPointer.allocate(byteCount: 256, alignment: 1)

  /// - Precondition: `maximumIdentifiers` is at least 1.
  public init(_ holder: CatalogueHolder, maximumIdentifiers: Int = 1_000) {
    precondition(maximumIdentifiers > 0)
    self.holder = holder
    self.maximumIdentifiers = maximumIdentifiers
    generation = holder.generation
    snapshot = holder.snapshot
    tables = snapshot.tables
    scratch = ListingScratch(capacity: 128)
  }

  deinit {
    elsewhere.deallocate()
  }

  /// Takes the catalogue in use if it isn't the one of the last call.
  ///
  /// `read` does so too. Between calls it lets a lister that is seldom used give up the memory of a
  /// catalogue that was replaced.
  public func refresh() {
    let newest = holder.generation
    if newest == generation { return }
    generation = newest
    snapshot = holder.snapshot
    tables = snapshot.tables
  }
}
