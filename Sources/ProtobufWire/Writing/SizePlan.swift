/// The sizes of a message and of everything in it that is length-delimited and not a plain string.
///
/// The size pass appends to it, the encoding pass reads it from the start. The first 8 sizes need
/// no heap memory.
public struct SizePlan: Sendable {
  /// The bytes of the whole message; set by `Message.sizePlan()`.
  public internal(set) var total = 0

  @usableFromInline static var inlineCapacity: Int { 8 }

  @usableFromInline var inline = InlineArray<8, UInt32>(repeating: 0)
  @usableFromInline var overflow: [UInt32] = []
  @usableFromInline var count = 0
  @usableFromInline var position = 0

  /// A plan without sizes.
  @inlinable
  public init() {}

  /// Makes room for the size of a value whose own nested sizes come after it.
  ///
  /// - Returns: The place to give to `set(_:at:)`.
  @inlinable
  public mutating func reserve() -> Int {
    let place = count
    count += 1
    if place >= Self.inlineCapacity { overflow.append(0) }
    return place
  }

  /// Fills a reserved place. A size has to be below 4 GiB.
  @inlinable
  public mutating func set(_ size: Int, at place: Int) {
    if place < Self.inlineCapacity {
      inline[place] = UInt32(size)
    } else {
      overflow[place - Self.inlineCapacity] = UInt32(size)
    }
  }

  /// Adds the size of a value that has no nested ones.
  @inlinable
  public mutating func append(_ size: Int) {
    set(size, at: reserve())
  }

  /// The next size, in the order in which they were added.
  @inlinable
  mutating func next() -> Int {
    precondition(position < count, "encode(into:) and encodedSize(_:) disagree")
    let place = position
    position += 1
    return Int(
      place < Self.inlineCapacity ? inline[place] : overflow[place - Self.inlineCapacity])
  }
}
