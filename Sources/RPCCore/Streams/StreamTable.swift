/// The live streams of a connection: looked up by id, addressed by place.
///
/// An open-addressing index leads from ids to places; places don't move while a stream lives.
/// Nothing is allocated once the table has grown to the connection's usual number of streams, and
/// nothing at all before the first. Raw memory instead of arrays: every call goes through here
/// several times, and checks of uniqueness and bounds were a fifth of a call's cost.
struct StreamTable: ~Copyable {
  private struct IndexEntry {
    var id: UInt32 = 0
    var place: Int32 = 0
  }

  /// The places that were ever used; a free one has the id 0. Only the table hands out places, so
  /// that a subscript with one is within the bounds.
  private(set) var places = StreamPlaces()
  private var capacity = 0
  private var index = UnsafeMutableBufferPointer<IndexEntry>(start: nil, count: 0)
  private var indexShift: UInt32 = 32
  private var firstFree: Int32 = -1
  private var lastFound = 0
  private(set) var count = 0

  init() {}

  deinit {
    if capacity > 0 {
      places.base.deinitialize(count: places.count)
      places.base.deallocate()
    }
    index.deallocate()
  }

  /// The place of a live stream.
  mutating func find(_ id: UInt32) -> Int? {
    // The end of a call usually follows its beginning.
    if lastFound < places.count, places[lastFound].id == id, id != 0 { return lastFound }
    guard let slot = slot(of: id) else { return nil }
    lastFound = Int(index[slot].place)
    return lastFound
  }

  /// Adds a stream whose id isn't in the table and isn't 0, and returns its place.
  mutating func insert(_ id: UInt32, sendWindow: Int, receiveWindow: Int) -> Int {
    if (count + 1) * 2 > index.count { growIndex() }
    let place: Int
    if firstFree >= 0 {
      place = Int(firstFree)
      firstFree = places[place].next
    } else {
      place = addPlace()
    }
    places[place].begin(id, sendWindow: sendWindow, receiveWindow: receiveWindow)
    put(id, Int32(truncatingIfNeeded: place))
    count += 1
    lastFound = place
    return place
  }

  /// Frees a place.
  mutating func remove(_ place: Int) {
    let id = places[place].id
    guard id != 0, let slot = slot(of: id) else { return }
    closeGap(slot)
    places[place].id = 0
    if places[place].assembly != nil { places[place].assembly = nil }
    if places[place].outbound != nil { places[place].outbound = nil }
    places[place].next = firstFree
    firstFree = Int32(truncatingIfNeeded: place)
    count -= 1
  }

  // MARK: The index

  /// Where an id belongs. Fibonacci hashing spreads ids that follow each other, so that no long run
  /// of occupied slots comes about, which a removal would have to walk.
  private func home(_ id: UInt32) -> Int {
    Int((id &* 0x9E37_79B9) >> indexShift)  // arithmetic modulo 2³² is what the hash is
  }

  private var mask: Int { index.count - 1 }

  private func slot(of id: UInt32) -> Int? {
    guard index.count > 0, id != 0 else { return nil }
    var slot = home(id)
    while index[slot].id != 0 {
      if index[slot].id == id { return slot }
      slot = (slot + 1) & mask
    }
    return nil
  }

  private func put(_ id: UInt32, _ place: Int32) {
    var slot = home(id)
    while index[slot].id != 0 { slot = (slot + 1) & mask }
    index[slot] = IndexEntry(id: id, place: place)
  }

  /// Empties a slot and moves back the entries behind it that it had pushed away from their home.
  private func closeGap(_ start: Int) {
    var gap = start
    var slot = (gap + 1) & mask
    while index[slot].id != 0 {
      let distance = (slot - home(index[slot].id)) & mask
      if distance >= (slot - gap) & mask {
        index[gap] = index[slot]
        gap = slot
      }
      slot = (slot + 1) & mask
    }
    index[gap] = IndexEntry()
  }

  // MARK: Growth

  private mutating func growIndex() {
    let size = max(16, index.count * 2)
    index.deallocate()
    index = .allocate(capacity: size)
    index.initialize(repeating: IndexEntry())
    // Both are powers of two; 32 bits of hash, of which the upper ones are used.
    indexShift = UInt32(32 - size.trailingZeroBitCount)
    for place in places.indices where places[place].id != 0 {
      put(places[place].id, Int32(truncatingIfNeeded: place))
    }
  }

  private mutating func addPlace() -> Int {
    let used = places.count
    if used == capacity {
      let larger = UnsafeMutablePointer<Stream>.allocate(capacity: max(8, capacity * 2))
      if capacity > 0 {
        larger.moveInitialize(from: places.base, count: used)
        places.base.deallocate()
      }
      capacity = max(8, capacity * 2)
      places.base = larger
    }
    (places.base + used).initialize(to: Stream())
    places.count = used + 1
    return used
  }
}
