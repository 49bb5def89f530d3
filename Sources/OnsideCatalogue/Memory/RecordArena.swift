/// Memory for the records of products, handed out from the start to the end and never taken back.
///
/// It grows by chunks, so that nothing is copied while a catalogue is read. A record's offset stays
/// the same for good; it lies in one chunk and begins at a multiple of 8.
struct RecordArena {
  /// Bytes of a chunk; the largest record is far smaller.
  static let chunkSize = 1 << chunkBits
  static let chunkBits: UInt64 = 23

  private(set) var chunks: [AlignedMemory] = []

  /// Where the next record goes. The first 8 bytes are left free: offset 0 means no record.
  private(set) var used = 8

  /// Room for a record of at most `chunkSize` bytes.
  ///
  /// - Throws: `.outOfMemory`.
  mutating func reserve(_ size: Int) throws(CatalogueProblem) -> Int {
    let rounded = (size + 7) & ~7
    let left = Self.chunkSize - used & (Self.chunkSize - 1)
    if rounded > left { used += left }
    while chunks.count << Int(Self.chunkBits) < used + rounded {
      chunks.append(try AlignedMemory(byteCount: Self.chunkSize))
    }
    let offset = used
    used += rounded
    return offset
  }

  /// Where a record is in memory.
  func address(_ offset: Int) -> UnsafeMutableRawPointer {
    chunks[offset >> Int(Self.chunkBits)].address + offset & (Self.chunkSize - 1)
  }
}
