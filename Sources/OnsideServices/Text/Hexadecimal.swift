/// Bytes as pairs of hexadecimal digits.
enum Hexadecimal {
  private static let digits = Array("0123456789abcdef".utf8)

  /// Lower case, without separators.
  static func text(_ bytes: some Collection<UInt8>) -> String {
    String(unsafeUninitializedCapacity: bytes.count * 2) { buffer in
      var count = 0
      for byte in bytes {
        buffer[count] = digits[Int(byte >> 4)]
        buffer[count + 1] = digits[Int(byte & 15)]
        count += 2
      }
      return count
    }
  }

  /// The bytes of a text in either case; colons between pairs are allowed, as certificate tools
  /// print fingerprints. Nil for any other text.
  static func bytes(_ text: String) -> [UInt8]? {
    var result: [UInt8] = []
    var high: UInt8?
    for character in text.utf8 {
      if character == UInt8(ascii: ":"), high == nil, !result.isEmpty { continue }
      guard let value = value(character) else { return nil }
      if let first = high {
        result.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return high == nil ? result : nil
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
