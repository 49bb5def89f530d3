/// The products of one app by identifier, while a catalogue is read: open addressing with linear
/// probing, at most half full, so that most searches end where they begin.
struct ProductIndex {
  private(set) var memory: AlignedMemory
  private(set) var capacity: Int
  private(set) var count = 0

  private static let smallest = 16

  init() throws(CatalogueProblem) {
    try self.init(capacity: Self.smallest)
  }

  private init(capacity: Int) throws(CatalogueProblem) {
    memory = try AlignedMemory(byteCount: capacity * MemoryLayout<UInt64>.stride)
    self.capacity = capacity
  }

  private var slots: UnsafeMutablePointer<UInt64> {
    memory.address.assumingMemoryBound(to: UInt64.self)
  }

  /// The place where a search for a hash begins.
  @inline(__always)
  static func start(_ hash: UInt64, capacity: Int) -> Int {
    Int(truncatingIfNeeded: hash.multipliedFullWidth(by: UInt64(capacity)).high)
  }

  /// The offset of an identifier's record; nil if there is none.
  func find(_ identifier: UnsafeRawBufferPointer, hash: UInt64, in arena: RecordArena) -> Int? {
    var place = Self.start(hash, capacity: capacity)
    while true {
      let slot = IndexSlot(rawValue: slots[place])
      if slot.isFree { return nil }
      if slot.matches(hash), ProductRecord(arena.address(slot.offset)).isNamed(identifier) {
        return slot.offset
      }
      place = place + 1 == capacity ? 0 : place + 1
    }
  }

  /// Adds a product that isn't there yet.
  ///
  /// - Throws: `.outOfMemory`.
  mutating func insert(_ slot: IndexSlot, hash: UInt64, in arena: RecordArena)
    throws(CatalogueProblem)
  {
    if (count + 1) * 2 > capacity { try resize(capacity * 2, arena) }
    put(slot, hash: hash)
    count += 1
  }

  private mutating func put(_ slot: IndexSlot, hash: UInt64) {
    var place = Self.start(hash, capacity: capacity)
    while slots[place] != 0 { place = place + 1 == capacity ? 0 : place + 1 }
    slots[place] = slot.rawValue
  }

  /// Gives up what growing by doubling took too much. No more products may be added afterwards
  /// without growing again.
  mutating func shrink(_ arena: RecordArena) throws(CatalogueProblem) {
    let needed = max(Self.smallest, count * 2)
    if needed < capacity { try resize(needed, arena) }
  }

  private mutating func resize(_ newCapacity: Int, _ arena: RecordArena) throws(CatalogueProblem) {
    let old = self
    self = try ProductIndex(capacity: newCapacity)
    count = old.count
    for place in 0..<old.capacity {
      let slot = IndexSlot(rawValue: old.slots[place])
      if slot.isFree { continue }
      let identifier = ProductRecord(arena.address(slot.offset)).identifier
      put(slot, hash: IdentifierHash.shared.hash(identifier))
    }
  }
}
