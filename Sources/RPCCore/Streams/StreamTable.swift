/// The live streams of a connection: looked up by id, addressed by place.
///
/// The ids that are live at a time are close together, so that an open-addressing index over their
/// low bits rarely probes. Places don't move while a stream lives. Nothing is allocated once the
/// table has grown to the connection's usual number of streams, and nothing at all before the first.
struct StreamTable {
  private struct IndexEntry {
    var id: UInt32 = 0
    var place: Int32 = 0
  }

  /// The places; a free one has the id 0.
  var places: [Stream] = []
  private var index: [IndexEntry] = []
  private var firstFree: Int32 = -1
  private var lastFound = 0
  private(set) var count = 0

  /// The place of a live stream.
  mutating func find(_ id: UInt32) -> Int? {
    // The end of a call usually follows its beginning.
    if lastFound < places.count, places[lastFound].id == id, id != 0 { return lastFound }
    guard let slot = slot(of: id) else { return nil }
    lastFound = Int(index[slot].place)
    return lastFound
  }

  /// Adds a stream whose id isn't in the table and isn't 0, and returns its place.
  mutating func insert(_ stream: Stream) -> Int {
    if (count + 1) * 2 > index.count { growIndex() }
    let place: Int
    if firstFree >= 0 {
      place = Int(firstFree)
      firstFree = places[place].next
      places[place] = stream
    } else {
      place = places.count
      places.append(stream)
    }
    put(stream.id, Int32(truncatingIfNeeded: place))
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
    places[place].assembly = nil
    places[place].outbound = nil
    places[place].next = firstFree
    firstFree = Int32(truncatingIfNeeded: place)
    count -= 1
  }

  private var mask: Int { index.count - 1 }

  /// Client streams are odd: the lowest bit says nothing.
  private func home(_ id: UInt32) -> Int { Int(id >> 1) & mask }

  private func slot(of id: UInt32) -> Int? {
    guard !index.isEmpty, id != 0 else { return nil }
    var slot = home(id)
    while index[slot].id != 0 {
      if index[slot].id == id { return slot }
      slot = (slot + 1) & mask
    }
    return nil
  }

  private mutating func put(_ id: UInt32, _ place: Int32) {
    var slot = home(id)
    while index[slot].id != 0 { slot = (slot + 1) & mask }
    index[slot] = IndexEntry(id: id, place: place)
  }

  /// Empties a slot and moves back the entries behind it that it had pushed away from their home.
  private mutating func closeGap(_ start: Int) {
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

  private mutating func growIndex() {
    index = [IndexEntry](repeating: IndexEntry(), count: max(16, index.count * 2))
    for place in places.indices where places[place].id != 0 {
      put(places[place].id, Int32(truncatingIfNeeded: place))
    }
  }
}
