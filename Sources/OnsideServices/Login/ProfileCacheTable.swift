import Glibc
import OnsideDomain
import OnsideStore

/// One part of the profile cache: entries in a ring, and an index of open addressing into it.
///
/// When the ring is full, a hand goes round: it spares an entry that was found since it last came
/// by, and replaces the first that wasn't (the clock algorithm).
struct ProfileCacheTable {
  private struct Entry {
    let hash: UInt64
    let app: AppTag
    let user: [UInt8]
    var profile: ProfileSummary
    var wasFound: Bool
  }

  private let capacity: Int
  private var entries: [Entry] = []

  /// Places of entries, plus one; 0: free.
  private var index: [UInt32] = []
  private var hand = 0

  init(capacity: Int) {
    self.capacity = min(max(capacity, 0), Int(Int32.max))
  }

  var count: Int { entries.count }

  mutating func find(
    _ hash: UInt64, _ app: AppTag, _ user: UnsafeRawBufferPointer
  ) -> ProfileSummary? {
    guard let slot = slot(hash, app, user) else { return nil }
    let place = Int(index[slot]) - 1
    // Written only if it changes: another loop may have the line in its cache.
    if !entries[place].wasFound { entries[place].wasFound = true }
    return entries[place].profile
  }

  mutating func insert(
    _ hash: UInt64, _ app: AppTag, _ user: UnsafeRawBufferPointer, _ profile: ProfileSummary
  ) {
    guard capacity > 0 else { return }
    if let slot = slot(hash, app, user) {
      entries[Int(index[slot]) - 1].profile = profile
      return
    }
    let entry = Entry(
      hash: hash, app: app, user: Array(user), profile: profile, wasFound: false)
    if entries.count < capacity {
      // At most half of the index is taken, so that searches are short.
      if (entries.count + 1) * 2 > index.count { growIndex() }
      entries.append(entry)
      link(hash, to: entries.count - 1)
    } else {
      advanceHand()
      unlink(slotOfEntry(hand))
      entries[hand] = entry
      link(hash, to: hand)
      hand = (hand + 1) % entries.count
    }
  }

  mutating func remove(_ hash: UInt64, _ app: AppTag, _ user: UnsafeRawBufferPointer) {
    guard let slot = slot(hash, app, user) else { return }
    let place = Int(index[slot]) - 1
    unlink(slot)
    let last = entries.count - 1
    if place != last {
      // The last entry moves into the gap.
      index[slotOfEntry(last)] = UInt32(place + 1)
      entries.swapAt(place, last)
    }
    entries.removeLast()
    hand = entries.isEmpty ? 0 : hand % entries.count
  }

  /// Moves the hand to an entry that wasn't found since it was here last. After one round each has
  /// lost its mark, so that it stops.
  private mutating func advanceHand() {
    while entries[hand].wasFound {
      entries[hand].wasFound = false
      hand = (hand + 1) % entries.count
    }
  }

  // The index.

  private var mask: Int { index.count - 1 }

  private func slot(
    _ hash: UInt64, _ app: AppTag, _ user: UnsafeRawBufferPointer
  ) -> Int? {
    guard !index.isEmpty else { return nil }
    var slot = Int(truncatingIfNeeded: hash) & mask
    while index[slot] != 0 {
      if matches(Int(index[slot]) - 1, hash, app, user) { return slot }
      slot = (slot + 1) & mask
    }
    return nil
  }

  private func matches(
    _ place: Int, _ hash: UInt64, _ app: AppTag, _ user: UnsafeRawBufferPointer
  ) -> Bool {
    guard entries[place].hash == hash, entries[place].app == app,
      entries[place].user.count == user.count
    else { return false }
    guard let bytes = user.baseAddress else { return true }
    return entries[place].user.withUnsafeBytes { own in
      own.baseAddress.map { memcmp($0, bytes, user.count) == 0 } ?? true
    }
  }

  private func slotOfEntry(_ place: Int) -> Int {
    var slot = Int(truncatingIfNeeded: entries[place].hash) & mask
    while index[slot] != UInt32(place + 1) { slot = (slot + 1) & mask }
    return slot
  }

  private mutating func link(_ hash: UInt64, to place: Int) {
    var slot = Int(truncatingIfNeeded: hash) & mask
    while index[slot] != 0 { slot = (slot + 1) & mask }
    index[slot] = UInt32(place + 1)
  }

  /// Frees a slot, and moves those behind it that the gap would hide.
  private mutating func unlink(_ slot: Int) {
    var gap = slot
    var next = (slot + 1) & mask
    while index[next] != 0 {
      let home = Int(truncatingIfNeeded: entries[Int(index[next]) - 1].hash) & mask
      if (next - home) & mask >= (next - gap) & mask {
        index[gap] = index[next]
        gap = next
      }
      next = (next + 1) & mask
    }
    index[gap] = 0
  }

  private mutating func growIndex() {
    index = [UInt32](repeating: 0, count: max(index.count * 2, 16))
    for place in entries.indices { link(entries[place].hash, to: place) }
  }
}
