/// The beginning of a frame whose rest hasn't arrived: a channel's own memory, held only while
/// there is something to keep.
struct KeptInput {
  private var base: UnsafeMutableRawPointer?
  private(set) var count = 0
  private var capacity = 0

  /// Copies what is kept to `target`, which has room for it.
  func copy(to target: UnsafeMutableRawPointer) {
    if let base { target.copyMemory(from: base, byteCount: count) }
  }

  /// Keeps a copy of `bytes` in place of what was kept.
  mutating func replace(with bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress, !bytes.isEmpty else { return release() }
    if capacity < bytes.count {
      base?.deallocate()
      // Room for twice as much: a peer that sends byte by byte must not cost an allocation each.
      capacity = min(bytes.count * 2, InputScratch.capacity)
      base = .allocate(byteCount: capacity, alignment: 16)
    }
    base?.copyMemory(from: source, byteCount: bytes.count)
    count = bytes.count
  }

  /// Gives the memory back.
  mutating func release() {
    guard let base else { return }
    base.deallocate()
    self.base = nil
    count = 0
    capacity = 0
  }
}
