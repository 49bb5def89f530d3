/// Nonces that don't repeat under a key: eight random bytes of the block, and a count behind them.
///
/// With twelve random bytes each, two of 2^32 tokens would meet with a probability that is no
/// longer negligible (NIST SP 800-38D, 8.3), and a busy server seals so many in hours. Here two
/// nonces meet only if two sequences, of which a sealer begins one for each 2^32 tokens and each
/// change of keys, begin alike.
struct NonceSequence {
  private var prefix: UInt64 = 0
  private var count: UInt32 = 0
  private var isBegun = false

  init() {}

  /// A sequence that has given out `count` nonces already.
  init(countForTesting count: UInt32) {
    self.count = count
    isBegun = true
  }

  /// Writes the next nonce, 12 bytes, to `bytes` at `offset`; false if there are no random bytes.
  mutating func next(
    from random: inout RandomBlock, to bytes: UnsafeMutableRawBufferPointer, at offset: Int
  ) -> Bool {
    if !isBegun || count == .max {
      guard
        withUnsafeMutableBytes(of: &prefix, { $0.baseAddress.map { random.take(8, to: $0) } })
          == true
      else { return false }
      isBegun = true
      count = 0
    }
    count += 1
    bytes.storeBytes(of: prefix, toByteOffset: offset, as: UInt64.self)
    bytes.storeBytes(of: count.bigEndian, toByteOffset: offset + 8, as: UInt32.self)
    return true
  }
}
