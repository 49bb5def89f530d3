/// Hashes identifiers with keys that are made anew in each process, so that nobody can prepare
/// identifiers that collide.
///
/// Words of 8 bytes are mixed by 64 × 64 → 128 bit multiplications whose halves are folded.
struct IdentifierHash: Sendable {
  /// The keys of this process.
  static let shared = IdentifierHash()

  private let first: UInt64
  private let second: UInt64

  private init() {
    // Odd, so that no key is 0.
    first = .random(in: .min ... .max) | 1
    second = .random(in: .min ... .max) | 1
  }

  /// Keys for tests that need the same hashes each time.
  init(first: UInt64, second: UInt64) {
    self.first = first
    self.second = second
  }

  @inline(__always)
  private func folded(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }

  @inline(__always)
  private func word(_ bytes: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

  /// The hash of `count` bytes, and whether all of them are visible ASCII or spaces.
  ///
  /// Both at once, since both read every byte.
  @inline(__always)
  func screen(_ bytes: UnsafeRawPointer, _ count: Int) -> (hash: UInt64, isPlain: Bool) {
    if count < 8 { return screenShort(bytes, count) }
    var state = first
    var odd: UInt64 = 0
    var offset = 0
    while count &- offset > 16 {
      let (left, right) = (word(bytes, offset), word(bytes, offset &+ 8))
      odd |= Self.unusual(left) | Self.unusual(right)
      state = folded(left ^ second, right ^ state)
      offset &+= 16
    }
    // The last 16 bytes, or 8 and 8 of less: some are read twice, none beyond the end.
    let left = word(bytes, count >= 16 ? count &- 16 : 0)
    let right = word(bytes, count &- 8)
    odd |= Self.unusual(left) | Self.unusual(right)
    state = folded(left ^ second, right ^ state)
    // Not earlier: mixed into a word of the text, the length could be made up for by that word.
    let hash = folded(state, first ^ UInt64(truncatingIfNeeded: count))
    return (hash, odd & 0x8080_8080_8080_8080 == 0)
  }

  private func screenShort(_ bytes: UnsafeRawPointer, _ count: Int) -> (hash: UInt64, isPlain: Bool)
  {
    var word: UInt64 = 0
    var isPlain = true
    for offset in 0..<count {
      let byte = bytes.load(fromByteOffset: offset, as: UInt8.self)
      isPlain = isPlain && (0x20..<0x7F).contains(byte)
      word = word << 8 | UInt64(byte)
    }
    let state = folded(word ^ second, first ^ UInt64(truncatingIfNeeded: count))
    return (folded(state, first), isPlain)
  }

  /// Has the highest bit of one of the 8 bytes set if one of them is below 0x20 or above 0x7E.
  ///
  /// Only a byte that is one of those carries into the next one.
  @inline(__always)
  private static func unusual(_ word: UInt64) -> UInt64 {
    word | (word &+ 0x0101_0101_0101_0101) | (word &- 0x2020_2020_2020_2020)
  }

  /// The hash of some bytes.
  func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    guard let start = bytes.baseAddress else { return folded(first, second) }
    return screen(start, bytes.count).hash
  }
}
