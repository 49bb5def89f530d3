/// Memory that a lister keeps from call to call, so that a call allocates nothing.
struct ListingScratch: ~Copyable {
  private(set) var items: UnsafeMutablePointer<ListingItem>
  private(set) var capacity: Int

  /// A table of four times the capacity for finding identifiers that came before: their places plus 1.
  private(set) var seen: UnsafeMutablePointer<UInt32>

  init(capacity: Int) {
    self.capacity = capacity
    items = .allocate(capacity: capacity)
    // The next power of 2 of twice the number of items, whatever the capacity is.
    seen = .allocate(capacity: capacity * 4)
  }

  deinit {
    items.deallocate()
    seen.deallocate()
  }

  /// Doubles the capacity and keeps the first `count` items.
  mutating func grow(keeping count: Int) {
    let larger = ListingScratch(capacity: capacity * 2)
    larger.items.update(from: items, count: count)
    self = larger
  }
}
