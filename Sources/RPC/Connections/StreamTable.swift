/// The calls of a connection by stream id: open addressing, linear probing, no tombstones.
///
/// Ids are spread by multiplication. A peer chooses gaps between its ids, but can hold no more of
/// them here than it has slots, so that the longest probe is bounded by that.
@usableFromInline
package struct StreamTable<Value: AnyObject> {
  @usableFromInline struct Slot {
    /// 0 is the connection itself and never a call's.
    @usableFromInline var stream: UInt32 = 0
    @usableFromInline var value: Value?

    @inlinable init(stream: UInt32 = 0, value: Value? = nil) {
      self.stream = stream
      self.value = value
    }
  }

  @usableFromInline var slots: [Slot] = []
  @usableFromInline var shift: UInt64 = 64

  /// How many calls there are.
  @usableFromInline package internal(set) var count = 0

  @inlinable package init() {}

  @inlinable package var isEmpty: Bool { count == 0 }

  /// The call on this stream.
  @inlinable
  package subscript(stream: UInt32) -> Value? {
    guard count > 0 else { return nil }
    var index = home(stream)
    while slots[index].stream != 0 {
      if slots[index].stream == stream { return slots[index].value }
      index = next(index)
    }
    return nil
  }

  /// The call on this stream, without touching it, for asking memory for it: it may be missed, and
  /// is never another's.
  @inlinable
  package func glimpse(_ stream: UInt32) -> Unmanaged<Value>? {
    guard count > 0 else { return nil }
    let index = home(stream)
    guard slots[index].stream == stream, let value = slots[index].value else { return nil }
    return Unmanaged.passUnretained(value)
  }

  /// Adds a call; the stream must not be in the table.
  @inlinable
  package mutating func insert(_ value: Value, at stream: UInt32) {
    if (count + 1) * 2 > slots.count { grow() }
    var index = home(stream)
    while slots[index].stream != 0 { index = next(index) }
    slots[index] = Slot(stream: stream, value: value)
    count += 1
  }

  /// Takes the call on this stream out.
  @discardableResult
  @inlinable
  package mutating func remove(_ stream: UInt32) -> Value? {
    guard count > 0 else { return nil }
    var index = home(stream)
    while slots[index].stream != stream {
      if slots[index].stream == 0 { return nil }
      index = next(index)
    }
    let value = slots[index].value
    close(index)
    count -= 1
    return value
  }

  /// Takes all calls out, in no particular order.
  @inlinable
  package mutating func removeAll() -> [Value] {
    let values = slots.compactMap(\.value)
    slots = []
    shift = 64
    count = 0
    return values
  }

  /// All calls, in no particular order.
  @inlinable package var values: [Value] { slots.compactMap(\.value) }

  /// Moves what was pushed behind a slot back over it.
  @inlinable
  mutating func close(_ hole: Int) {
    var hole = hole
    var index = next(hole)
    while slots[index].stream != 0 {
      let distance = (index - home(slots[index].stream)) & (slots.count - 1)
      if distance >= (index - hole) & (slots.count - 1) {
        slots[hole] = slots[index]
        hole = index
      }
      index = next(index)
    }
    slots[hole] = Slot()
  }

  @inlinable
  func home(_ stream: UInt32) -> Int {
    // A multiplicative hash is meant to wrap.
    Int(truncatingIfNeeded: (UInt64(stream) &* 0x9E37_79B9_7F4A_7C15) >> shift)
  }

  @inlinable
  func next(_ index: Int) -> Int { (index + 1) & (slots.count - 1) }

  @inlinable
  mutating func grow() {
    let old = slots
    let capacity = max(8, old.count * 2)
    slots = Array(repeating: Slot(), count: capacity)
    shift = UInt64(64 - capacity.trailingZeroBitCount)
    for slot in old where slot.stream != 0 {
      var index = home(slot.stream)
      while slots[index].stream != 0 { index = next(index) }
      slots[index] = slot
    }
  }
}
