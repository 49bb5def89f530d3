import Glibc

/// Comparing and copying a few bytes, where a call of the C library would cost more than the work.
enum Bytes {
  /// Whether two places hold the same bytes.
  @inline(__always)
  static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    let count = left.count
    guard count == right.count else { return false }
    guard let left = left.baseAddress, let right = right.baseAddress else { return count == 0 }
    guard count >= 16 else { return memcmp(left, right, count) == 0 }
    var offset = 0
    while offset < count &- 16 {
      if vector(left, offset) != vector(right, offset) { return false }
      offset &+= 16
    }
    // The last 16 bytes, some of them for the second time.
    return vector(left, count &- 16) == vector(right, count &- 16)
  }

  /// Copies bytes between places that don't overlap.
  @inline(__always)
  static func copy(
    _ count: Int, from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer
  ) {
    if count >= 16 && count <= 32 {
      target.storeBytes(of: vector(source, 0), as: SIMD2<UInt64>.self)
      let last = count &- 16
      target.storeBytes(of: vector(source, last), toByteOffset: last, as: SIMD2<UInt64>.self)
    } else {
      target.copyMemory(from: source, byteCount: count)
    }
  }

  @inline(__always)
  private static func vector(_ bytes: UnsafeRawPointer, _ offset: Int) -> SIMD2<UInt64> {
    bytes.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
  }
}
