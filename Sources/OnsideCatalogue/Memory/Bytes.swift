import Glibc

/// Comparing and copying a few bytes, where a call of the C library would cost more than the work.
enum Bytes {
  /// Whether two places hold the same bytes.
  @inline(__always)
  static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    let count = left.count
    guard count == right.count else { return false }
    guard let left = left.baseAddress, let right = right.baseAddress else { return count == 0 }
    guard count >= 8 else { return memcmp(left, right, count) == 0 }
    var offset = 0
    while offset < count - 8 {
      if word(left, offset) != word(right, offset) { return false }
      offset += 8
    }
    // The last 8 bytes, some of them for the second time.
    return word(left, count - 8) == word(right, count - 8)
  }

  /// Copies bytes between places that don't overlap.
  @inline(__always)
  static func copy(
    _ count: Int, from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer
  ) {
    guard count >= 8, count <= 32 else {
      target.copyMemory(from: source, byteCount: count)
      return
    }
    var offset = 0
    while offset < count - 8 {
      target.storeBytes(of: word(source, offset), toByteOffset: offset, as: UInt64.self)
      offset += 8
    }
    target.storeBytes(of: word(source, count - 8), toByteOffset: count - 8, as: UInt64.self)
  }

  @inline(__always)
  private static func word(_ bytes: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }
}
