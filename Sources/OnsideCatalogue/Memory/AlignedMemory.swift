import Glibc

/// Zeroed memory straight from the kernel, on huge pages where those are to be had.
///
/// A look-up in a large catalogue touches addresses all over it. With ordinary pages most of them
/// would also miss the processor's table of page addresses, which costs as much as the data.
final class AlignedMemory: @unchecked Sendable {
  let address: UnsafeMutableRawPointer
  let byteCount: Int

  private static let hugePage = 2 << 20

  /// Reserves at least `byteCount` bytes; only touched pages take memory.
  ///
  /// - Throws: `.outOfMemory`.
  init(byteCount: Int) throws(CatalogueProblem) {
    let size = (max(byteCount, 1) + Self.pageMask) & ~Self.pageMask
    let alignment = size >= Self.hugePage ? Self.hugePage : 0
    guard let start = Self.map(size + alignment) else {
      throw CatalogueProblem(.outOfMemory, "no memory for \(size) bytes of the catalogue")
    }
    let head = alignment == 0 ? 0 : -Int(bitPattern: start) & (Self.hugePage - 1)
    address = start + head
    self.byteCount = size
    Self.unmap(start, head)
    Self.unmap(address + size, alignment - head)
    // Advice only: without huge pages everything works, slower.
    if alignment > 0 { madvise(address, size, MADV_HUGEPAGE) }
  }

  deinit {
    Self.unmap(address, byteCount)
  }

  private static let pageMask = 4_095

  private static func map(_ size: Int) -> UnsafeMutableRawPointer? {
    let start = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    return start == MAP_FAILED ? nil : start
  }

  private static func unmap(_ start: UnsafeMutableRawPointer, _ size: Int) {
    if size > 0 { munmap(start, size) }
  }
}
