import COpenSSL

/// Random bytes of OpenSSL's generator, fetched many at a time: one call for each token would cost
/// more than sealing it.
struct RandomBlock {
  private static let count = 4_096

  private let bytes = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 16)
  private var position = count

  /// Copies `count` new bytes, up to 64, to `target`; false if the generator fails.
  mutating func take(_ count: Int, to target: UnsafeMutableRawPointer) -> Bool {
    if position + count > Self.count {
      guard copenssl_random(bytes, Int32(Self.count)) else { return false }
      position = 0
    }
    target.copyMemory(from: bytes + position, byteCount: count)
    // What was given out is nowhere else any more.
    (bytes + position).initializeMemory(as: UInt8.self, repeating: 0, count: count)
    position += count
    return true
  }

  func deallocate() {
    copenssl_cleanse(bytes, Self.count)
    bytes.deallocate()
  }
}
