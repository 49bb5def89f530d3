import Glibc

/// One block of memory that can grow. A large one moves by changing page tables, without a copy.
final class GrowableMemory: @unchecked Sendable {
  private(set) var address: UnsafeMutableRawPointer
  private(set) var byteCount: Int

  /// - Throws: `.outOfMemory`.
  init(byteCount: Int) throws(CatalogueProblem) {
    guard let start = malloc(byteCount) else { throw Self.noMemory(byteCount) }
    address = start
    self.byteCount = byteCount
  }

  deinit {
    free(address)
  }

  /// Makes it larger or smaller; pointers into it are no longer valid.
  ///
  /// - Throws: `.outOfMemory`; everything stays as it was.
  func resize(_ newCount: Int) throws(CatalogueProblem) {
    guard let moved = realloc(address, newCount) else { throw Self.noMemory(newCount) }
    address = moved
    byteCount = newCount
  }

  private static func noMemory(_ size: Int) -> CatalogueProblem {
    CatalogueProblem(.outOfMemory, "no memory for \(size) bytes of prices")
  }
}
