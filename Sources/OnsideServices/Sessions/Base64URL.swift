/// The alphabet of RFC 4648 section 5, without padding, in its canonical form only: each text
/// stands for other bytes than every other text.
struct Base64URL: Sendable {
  /// How many characters `count` bytes take.
  static func encodedCount(_ count: Int) -> Int { (count * 4 + 2) / 3 }

  /// How many bytes `count` characters stand for; nil: no number of bytes takes so many.
  static func decodedCount(_ count: Int) -> Int? {
    count % 4 == 1 ? nil : count * 3 / 4
  }

  private static let alphabet: StaticString =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

  private static let invalid: UInt8 = 0xff

  /// Two characters for each 12 bits, the first in the lower byte.
  private let pairs: [UInt16]

  /// Six bits for each character, or `invalid`.
  private let values: [UInt8]

  /// Makes the tables: once for each sealer, so that they stay in its loop's cache.
  init() {
    let alphabet = UnsafeBufferPointer(
      start: Self.alphabet.utf8Start, count: Self.alphabet.utf8CodeUnitCount)
    var values = [UInt8](repeating: Self.invalid, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    self.values = values
    pairs = (0..<4_096).map { bits in
      UInt16(alphabet[bits >> 6]) | UInt16(alphabet[bits & 63]) << 8
    }
  }

  /// Writes the text of `bytes` to `text`, which has room for `encodedCount` characters; answers
  /// how many.
  func encode(_ bytes: UnsafeRawBufferPointer, to text: UnsafeMutableRawBufferPointer) -> Int {
    let count = Self.encodedCount(bytes.count)
    precondition(text.count >= count)
    return pairs.withUnsafeBufferPointer { pairs in
      var input = 0
      var output = 0
      while input + 3 <= bytes.count {
        let bits = Int(bytes[input]) << 16 | Int(bytes[input + 1]) << 8 | Int(bytes[input + 2])
        let both = UInt32(pairs[bits >> 12]) | UInt32(pairs[bits & 0xfff]) << 16
        text.storeBytes(of: both.littleEndian, toByteOffset: output, as: UInt32.self)
        input += 3
        output += 4
      }
      let rest = bytes.count - input
      guard rest > 0 else { return count }
      let last = rest == 2 ? Int(bytes[input + 1]) : 0
      let bits = Int(bytes[input]) << 16 | last << 8
      text[output] = UInt8(truncatingIfNeeded: pairs[bits >> 12])
      text[output + 1] = UInt8(truncatingIfNeeded: pairs[bits >> 12] >> 8)
      if rest == 2 { text[output + 2] = UInt8(truncatingIfNeeded: pairs[bits & 0xfff]) }
      return count
    }
  }

  /// Writes what `text` stands for to `bytes`, which has room for it; answers how many bytes, or
  /// nil if the text isn't in the canonical form.
  func decode(
    _ text: UnsafeRawBufferPointer, to bytes: UnsafeMutableRawBufferPointer
  ) -> Int? {
    guard let count = Self.decodedCount(text.count), bytes.count >= count else { return nil }
    return values.withUnsafeBufferPointer { values in
      var input = 0
      var output = 0
      // The upper two bits are set by an invalid character only.
      var seen: UInt8 = 0
      while input + 4 <= text.count {
        let (a, b) = (values[Int(text[input])], values[Int(text[input + 1])])
        let (c, d) = (values[Int(text[input + 2])], values[Int(text[input + 3])])
        seen |= a | b | c | d
        bytes[output] = a << 2 | b >> 4
        bytes[output + 1] = b << 4 | c >> 2
        bytes[output + 2] = c << 6 | d
        input += 4
        output += 3
      }
      guard seen < 64 else { return nil }
      guard input < text.count else { return count }
      let (a, b) = (values[Int(text[input])], values[Int(text[input + 1])])
      let c = input + 2 < text.count ? values[Int(text[input + 2])] : 0
      guard a | b | c < 64 else { return nil }
      bytes[output] = a << 2 | b >> 4
      if input + 2 < text.count {
        bytes[output + 1] = b << 4 | c >> 2
        return c & 3 == 0 ? count : nil
      }
      return b & 15 == 0 ? count : nil
    }
  }
}
