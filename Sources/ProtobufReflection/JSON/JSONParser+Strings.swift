extension JSONParser {
  /// Reads a string in double quotes.
  mutating func string() throws(JSONError) -> String {
    let start = position
    position += 1
    var bytes: [UInt8] = []
    while true {
      guard position < text.count else { throw error("the string has no end", at: start) }
      let byte = text[position]
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        guard let string = String(validating: bytes, as: UTF8.self) else {
          throw error("the string is not UTF-8", at: start)
        }
        return string
      case UInt8(ascii: "\\"):
        try escape(into: &bytes)
      case 0..<0x20:
        throw error("a control character has to be written as an escape")
      default:
        bytes.append(byte)
        position += 1
      }
    }
  }

  private mutating func escape(into bytes: inout [UInt8]) throws(JSONError) {
    let start = position
    position += 1
    let character = next
    position += 1
    switch character {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(character)
    case UInt8(ascii: "b"): bytes.append(0x08)
    case UInt8(ascii: "f"): bytes.append(0x0c)
    case UInt8(ascii: "n"): bytes.append(0x0a)
    case UInt8(ascii: "r"): bytes.append(0x0d)
    case UInt8(ascii: "t"): bytes.append(0x09)
    case UInt8(ascii: "u"): try unicodeEscape(from: start, into: &bytes)
    default: throw error("unknown escape", at: start)
    }
  }

  private mutating func unicodeEscape(
    from start: Int, into bytes: inout [UInt8]
  ) throws(JSONError) {
    guard var value = hexadecimal() else { throw error("\\u needs four digits", at: start) }
    if 0xd800..<0xdc00 ~= value {
      // The first half of a pair.
      guard next == UInt8(ascii: "\\"), text.indices.contains(position + 1),
        text[position + 1] == UInt8(ascii: "u")
      else { throw error("half of a surrogate pair", at: start) }
      position += 2
      guard let low = hexadecimal(), 0xdc00..<0xe000 ~= low else {
        throw error("half of a surrogate pair", at: start)
      }
      value = 0x10000 + (value - 0xd800) << 10 + (low - 0xdc00)
    }
    guard let scalar = Unicode.Scalar(value) else {
      throw error("half of a surrogate pair", at: start)
    }
    bytes += Array(String(Character(scalar)).utf8)
  }

  private mutating func hexadecimal() -> UInt32? {
    guard text.count - position >= 4 else { return nil }
    var value: UInt32 = 0
    for byte in text[position..<(position + 4)] {
      guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else { return nil }
      value = value << 4 | UInt32(digit)
    }
    position += 4
    return value
  }
}
