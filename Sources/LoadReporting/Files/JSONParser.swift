/// Why a text isn't JSON, and where.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
  public let line: Int
  public let column: Int
  public let reason: String

  public var description: String { "line \(line), column \(column): \(reason)" }
}

extension JSONValue {
  /// Reads one JSON text (RFC 8259).
  ///
  /// - Throws: the first mistake with its place. More than 100 levels, a name twice in an object
  ///   and text behind the value are mistakes.
  public init(parsing text: String) throws(JSONError) {
    var parser = JSONParser(bytes: Array(text.utf8))
    self = try parser.document()
  }
}

private struct JSONParser {
  static let deepest = 100

  let bytes: [UInt8]
  var offset = 0

  mutating func document() throws(JSONError) -> JSONValue {
    let value = try self.value(depth: 0)
    skipSpace()
    guard offset == bytes.count else { throw error("nothing may stand behind the value") }
    return value
  }

  private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
    guard depth < JSONParser.deepest else { throw error("more than \(JSONParser.deepest) levels") }
    skipSpace()
    switch peek {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .boolean(true))
    case UInt8(ascii: "f"): return try word("false", .boolean(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
    offset += 1
    var members: [JSONValue.Member] = []
    var names: Set<String> = []
    skipSpace()
    if take("}") { return .object([]) }
    repeat {
      skipSpace()
      guard peek == UInt8(ascii: "\"") else { throw error("expected a member's name") }
      let name = try string()
      guard names.insert(name).inserted else { throw error("the name \"\(name)\" comes twice") }
      skipSpace()
      guard take(":") else { throw error("expected a colon") }
      members.append(.init(name, try value(depth: depth + 1)))
      skipSpace()
    } while take(",")
    guard take("}") else { throw error("expected a comma or the end of the object") }
    return .object(members)
  }

  private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
    offset += 1
    var elements: [JSONValue] = []
    skipSpace()
    if take("]") { return .array([]) }
    repeat {
      elements.append(try value(depth: depth + 1))
      skipSpace()
    } while take(",")
    guard take("]") else { throw error("expected a comma or the end of the array") }
    return .array(elements)
  }

  private mutating func string() throws(JSONError) -> String {
    offset += 1
    var content: [UInt8] = []
    while let byte = peek, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw error("a control character in a string") }
      offset += 1
      if byte == UInt8(ascii: "\\") {
        content += String(try escape()).utf8
      } else {
        content.append(byte)
      }
    }
    guard take("\"") else { throw error("a string without an end") }
    guard let text = String(validating: content, as: UTF8.self) else {
      throw error("a string that isn't UTF-8")
    }
    return text
  }

  private mutating func escape() throws(JSONError) -> Unicode.Scalar {
    let byte = peek
    offset += 1
    switch byte {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "u"): return try unicodeEscape()
    case .some(let same) where "\"\\/".utf8.contains(same): return Unicode.Scalar(same)
    default: throw error("an unknown escape")
    }
  }

  private mutating func unicodeEscape() throws(JSONError) -> Unicode.Scalar {
    let first = try codeUnit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, take("\\"), take("u") else { throw error("half a surrogate pair") }
    let second = try codeUnit()
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw error("half a surrogate pair") }
    return scalar
  }

  private mutating func codeUnit() throws(JSONError) -> UInt32 {
    let digits = bytes[offset...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw error("expected four hexadecimal digits") }
    offset += 4
    return unit
  }

  private mutating func number() throws(JSONError) -> JSONValue {
    let start = offset
    _ = take("-")
    let whole = digits()
    guard whole > 0, whole == 1 || bytes[offset - whole] != UInt8(ascii: "0") else {
      throw error(peek == nil ? "expected a value, not the end" : "expected a value")
    }
    if take("."), digits() == 0 { throw error("expected digits behind the point") }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      if digits() == 0 { throw error("expected digits in the exponent") }
    }
    return .number(String(decoding: bytes[start..<offset], as: UTF8.self))
  }

  private mutating func digits() -> Int {
    let start = offset
    while let byte = peek, (48...57).contains(byte) { offset += 1 }
    return offset - start
  }

  private mutating func word(_ word: String, _ value: JSONValue) throws(JSONError) -> JSONValue {
    guard bytes[offset...].starts(with: word.utf8) else { throw error("expected a value") }
    offset += word.utf8.count
    return value
  }

  private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || (0x09...0x0D).contains(byte), byte != 0x0B, byte != 0x0C
    { offset += 1 }
  }

  private func error(_ reason: String) -> JSONError {
    let before = bytes[..<min(offset, bytes.count)]
    let line = before.count { $0 == 0x0A } + 1
    let column = before.count - ((before.lastIndex(of: 0x0A) ?? -1) + 1) + 1
    return JSONError(line: line, column: column, reason: reason)
  }
}
