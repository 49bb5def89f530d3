/// Bytes on their way out: raw memory with a read and a write index, which grows as needed.
///
/// The core writes frames at the end, straight into reserved space; the transport takes bytes from
/// the front. An empty buffer can give its memory back, so that an idle connection holds none.
/// Indices count from the first unread byte.
public struct OutputBuffer: ~Copyable {
  @usableFromInline var base: UnsafeMutableRawPointer?
  @usableFromInline var allocated: Int
  @usableFromInline var readIndex: Int
  @usableFromInline var writeIndex: Int

  /// Room of a buffer's first allocation, in bytes.
  public static var smallestCapacity: Int { 512 }

  /// An empty buffer without memory.
  @inlinable
  public init() {
    base = nil
    allocated = 0
    readIndex = 0
    writeIndex = 0
  }

  deinit {
    base?.deallocate()
  }

  /// The number of bytes that were written and not yet consumed.
  @inlinable
  public var count: Int { writeIndex - readIndex }

  /// Whether there is nothing to consume.
  @inlinable
  public var isEmpty: Bool { writeIndex == readIndex }

  /// The size in bytes of the memory that the buffer holds.
  @inlinable
  public var capacity: Int { allocated }

  // MARK: Writing

  /// Makes room for `size` more bytes and returns it. What is written there counts once it is
  /// committed; the pointer is good until the next call that writes, reserves or shrinks.
  @inlinable
  public mutating func reserve(_ size: Int) -> UnsafeMutableRawBufferPointer {
    precondition(size >= 0, "a negative number of bytes can't be reserved")
    if allocated - writeIndex < size {
      makeRoom(for: size)
    }
    guard let base else { return UnsafeMutableRawBufferPointer(start: nil, count: 0) }
    return UnsafeMutableRawBufferPointer(start: base + writeIndex, count: size)
  }

  /// Takes the next `size` bytes of reserved space as written.
  @inlinable
  public mutating func commit(_ size: Int) {
    precondition(size >= 0 && size <= allocated - writeIndex, "more committed than reserved")
    writeIndex &+= size  // can't overflow: within `allocated`, as just checked
  }

  /// Appends a copy of `bytes`.
  @inlinable
  public mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress, bytes.count > 0 else { return }
    if let target = reserve(bytes.count).baseAddress {
      target.copyMemory(from: source, byteCount: bytes.count)
    }
    commit(bytes.count)
  }

  /// Appends a copy of `bytes`.
  @inlinable
  public mutating func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { append($0) }
  }

  /// Appends one byte.
  @inlinable
  public mutating func append(byte: UInt8) {
    reserve(1).storeBytes(of: byte, as: UInt8.self)
    commit(1)
  }

  /// Overwrites bytes that were written and not yet consumed, from `offset` on.
  @inlinable
  public mutating func overwrite(at offset: Int, with bytes: UnsafeRawBufferPointer) {
    precondition(
      offset >= 0 && bytes.count <= count && offset <= count - bytes.count,
      "only bytes that are there can be overwritten")
    guard let base, let source = bytes.baseAddress else { return }
    (base + readIndex + offset).copyMemory(from: source, byteCount: bytes.count)
  }

  /// Drops everything written after the first `count` unconsumed bytes.
  @inlinable
  public mutating func truncate(to count: Int) {
    precondition(count >= 0 && count <= self.count, "a buffer can't be truncated to more bytes")
    writeIndex = readIndex + count
  }

  // MARK: Reading

  /// Calls `body` with the unconsumed bytes, which are good during the call only.
  @inlinable
  public func withUnsafeBytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    guard let base else { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
    return try body(UnsafeRawBufferPointer(start: base + readIndex, count: count))
  }

  /// Takes `size` bytes off the front.
  @inlinable
  public mutating func consume(_ size: Int) {
    precondition(size >= 0 && size <= count, "more consumed than written")
    readIndex &+= size  // can't overflow: within `writeIndex`, as just checked
    if readIndex == writeIndex {
      readIndex = 0
      writeIndex = 0
    }
  }

  /// Drops all bytes and keeps the memory.
  @inlinable
  public mutating func removeAll() {
    readIndex = 0
    writeIndex = 0
  }

  /// Gives the memory back if the buffer is empty and has more of it than `limit`, in bytes.
  @inlinable
  public mutating func releaseMemoryIfEmpty(above limit: Int = 0) {
    guard isEmpty, allocated > limit, let base else { return }
    base.deallocate()
    self.base = nil
    allocated = 0
    readIndex = 0
    writeIndex = 0
  }

  /// Room for `size` more bytes: the unconsumed ones move to the front, into larger memory if the
  /// present one is too small or would be moved within too often.
  @usableFromInline
  mutating func makeRoom(for size: Int) {
    let kept = count
    if let base, kept <= allocated / 2, allocated - kept >= size {
      base.copyMemory(from: base + readIndex, byteCount: kept)
      readIndex = 0
      writeIndex = kept
      return
    }
    let needed = kept + size
    let larger = max(needed, allocated * 2, Self.smallestCapacity)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
    if let base {
      memory.copyMemory(from: base + readIndex, byteCount: kept)
      base.deallocate()
    }
    base = memory
    allocated = larger
    readIndex = 0
    writeIndex = kept
  }
}
