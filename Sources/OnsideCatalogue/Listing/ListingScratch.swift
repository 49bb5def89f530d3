/// Memory that a lister keeps from call to call, so that a call allocates nothing.
struct ListingScratch: ~Copyable {
  private(set) var items: UnsafeMutablePointer<ListingItem>
  private(set) var capacity: Int

  /// A table of four times the capacity for finding identifiers that came before: their places plus
  /// 1.
  private(set) var seen: UnsafeMutablePointer<UInt32>

  /// The places of the items of each list, `capacity` for each: see `ListingOutcome`.
  private(set) var lists: UnsafeMutablePointer<UInt32>

  /// How long each list is.
  let sizes: UnsafeMutablePointer<ListSize>

  init(capacity: Int) {
    self.capacity = capacity
    items = .allocate(capacity: capacity)
    // The next power of 2 of twice the number of items, whatever the capacity is.
    seen = .allocate(capacity: capacity * 4)
    lists = .allocate(capacity: capacity * ListingOutcome.count)
    sizes = .allocate(capacity: ListingOutcome.count)
    clearSizes()
  }

  deinit {
    items.deallocate()
    seen.deallocate()
    lists.deallocate()
    sizes.deallocate()
  }

  /// Makes all lists empty.
  func clearSizes() {
    sizes.update(repeating: ListSize(), count: ListingOutcome.count)
  }

  /// Adds an item, whose encoded identifier or product has `size` bytes, to a list.
  @inline(__always)
  func append(_ item: Int, _ outcome: Int, size: Int) {
    let list = sizes + outcome
    lists[outcome &* capacity &+ list.pointee.items] = UInt32(truncatingIfNeeded: item)
    list.pointee.items &+= 1
    list.pointee.bytes &+= size
  }

  /// Bytes of all encoded lists.
  var listBytes: Int {
    (0..<ListingOutcome.count).reduce(0) { $0 + sizes[$1].bytes }
  }

  /// Doubles the capacity and keeps the first `count` items.
  mutating func grow(keeping count: Int) {
    let larger = ListingScratch(capacity: capacity * 2)
    larger.items.update(from: items, count: count)
    self = larger
  }
}
