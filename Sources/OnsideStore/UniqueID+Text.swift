extension UniqueID: CustomStringConvertible {
  /// How many characters the text form has.
  public static var textLength: Int { 36 }

  /// The 36-character form in lower case: `01890a5d-ac96-774b-bcce-b302099a8057`.
  public var description: String {
    String(unsafeUninitializedCapacity: Self.textLength) { text in
      writeText(to: UnsafeMutableRawBufferPointer(text))
      return Self.textLength
    }
  }

  /// Writes the 36 ASCII characters of the text form to the start of `text`, which has room for
  /// them. Allocates nothing.
  public func writeText(to text: UnsafeMutableRawBufferPointer) {
    precondition(text.count >= Self.textLength)
    var position = 0
    for digit in 0..<32 {
      if digit == 8 || digit == 12 || digit == 16 || digit == 20 {
        text[position] = UInt8(ascii: "-")
        position += 1
      }
      let word = digit < 16 ? high : low
      let value = UInt8(truncatingIfNeeded: word >> UInt64((15 - digit & 15) * 4)) & 0xf
      text[position] = value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
      position += 1
    }
  }

  /// Reads the 36-character form, in either case; nil if it isn't one.
  public init?(_ text: String) {
    var text = text
    guard let found = text.withUTF8({ UniqueID(text: UnsafeRawBufferPointer($0)) }) else {
      return nil
    }
    self = found
  }

  /// Reads the 36-character form from ASCII bytes, in either case; nil if it isn't one.
  public init?(text: UnsafeRawBufferPointer) {
    guard text.count == Self.textLength else { return nil }
    var words: (high: UInt64, low: UInt64) = (0, 0)
    var digits = 0
    for (position, byte) in text.enumerated() {
      if position == 8 || position == 13 || position == 18 || position == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let value = Self.hexadecimalValue(byte) else { return nil }
      if digits < 16 {
        words.high = words.high << 4 | value
      } else {
        words.low = words.low << 4 | value
      }
      digits += 1
    }
    self.init(high: words.high, low: words.low)
  }

  private static func hexadecimalValue(_ byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }
}
