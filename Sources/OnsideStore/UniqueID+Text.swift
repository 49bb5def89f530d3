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
    let words = (
      Self.digits(UInt32(truncatingIfNeeded: high >> 32)),
      Self.digits(UInt32(truncatingIfNeeded: high)),
      Self.digits(UInt32(truncatingIfNeeded: low >> 32)),
      Self.digits(UInt32(truncatingIfNeeded: low))
    )
    text.storeBytes(of: words.0.bigEndian, toByteOffset: 0, as: UInt64.self)
    Self.write(words.1, to: text, at: 9)
    Self.write(words.2, to: text, at: 19)
    text.storeBytes(of: words.3.bigEndian, toByteOffset: 28, as: UInt64.self)
    text[8] = UInt8(ascii: "-")
    text[18] = UInt8(ascii: "-")
  }

  /// Writes eight digits as two groups of four.
  private static func write(
    _ digits: UInt64, to text: UnsafeMutableRawBufferPointer, at position: Int
  ) {
    text.storeBytes(
      of: UInt32(truncatingIfNeeded: digits >> 32).bigEndian, toByteOffset: position,
      as: UInt32.self)
    text[position + 4] = UInt8(ascii: "-")
    text.storeBytes(
      of: UInt32(truncatingIfNeeded: digits).bigEndian, toByteOffset: position + 5,
      as: UInt32.self)
  }

  /// The eight hexadecimal digits of a number in ASCII, the first in the highest byte: all at once,
  /// since each session's answer has such a text.
  private static func digits(_ number: UInt32) -> UInt64 {
    var digits = UInt64(number)
    digits = (digits << 16 | digits) & 0x0000_ffff_0000_ffff
    digits = (digits << 8 | digits) & 0x00ff_00ff_00ff_00ff
    digits = (digits << 4 | digits) & 0x0f0f_0f0f_0f0f_0f0f
    let letters = ((digits + 0x0606_0606_0606_0606) >> 4) & 0x0101_0101_0101_0101
    return digits + 0x3030_3030_3030_3030 + letters * UInt64(UInt8(ascii: "a") - 10 - 0x30)
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
