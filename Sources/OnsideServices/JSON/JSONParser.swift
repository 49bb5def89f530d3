import OnsideDomain

/// Reads a JSON text strictly as RFC 8259 has it: no comments, no trailing commas, no duplicate
/// names, and nothing behind the value.
struct JSONParser {
  /// Arrays and objects within each other.
  static let maximumDepth = 32

  private let bytes: [UInt8]
  private var offset = 0
  private var line = 1
  private var lineStart = 0
  private var depth = 0

  /// Reads a whole text.
  static func parse(_ bytes: [UInt8]) throws(JSONProblem) -> JSONValue {
    var parser = JSONParser(bytes: bytes)
    parser.skipSpace()
    let value = try parser.value()
    parser.skipSpace()
    guard parser.next == nil else { throw parser.problem("unexpected text behind the value") }
    return value
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
    // A byte order mark is no part of the text; editors add it unasked.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    lineStart = offset
  }

  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private var position: TextPosition {
    TextPosition(line: line, column: offset - lineStart + 1)
  }

  private func problem(_ reason: String) -> JSONProblem {
    JSONProblem(position: position, reason: reason)
  }

  private mutating func skipSpace() {
    while let byte = next {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): offset += 1
      case UInt8(ascii: "\n"):
        offset += 1
        line += 1
        lineStart = offset
      default: return
      }
    }
  }

  private mutating func value() throws(JSONProblem) -> JSONValue {
    let start = position
    guard let byte = next else { throw problem("the text ends where a value should be") }
    let content: JSONValue.Content
    switch byte {
    case UInt8(ascii: "{"):
      content = .object(
        try nested { parser throws(JSONProblem) in
          try parser.members()
        })
    case UInt8(ascii: "["):
      content = .array(
        try nested { parser throws(JSONProblem) in
          try parser.elements()
        })
    case UInt8(ascii: "\""): content = .string(try string())
    case UInt8(ascii: "t"): content = try word("true", .boolean(true))
    case UInt8(ascii: "f"): content = try word("false", .boolean(false))
    case UInt8(ascii: "n"): content = try word("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): content = try number()
    default: throw problem("unexpected \(shown(byte)) where a value should be")
    }
    return JSONValue(position: start, content: content)
  }

  private func shown(_ byte: UInt8) -> String {
    [byte].withUnsafeBytes { Escaping.quoted($0) }
  }

  private mutating func nested<Result>(
    _ body: (inout JSONParser) throws(JSONProblem) -> Result
  ) throws(JSONProblem) -> Result {
    guard depth < Self.maximumDepth else {
      throw problem("more than \(Self.maximumDepth) arrays and objects within each other")
    }
    depth += 1
    offset += 1
    let result = try body(&self)
    depth -= 1
    return result
  }

  /// Skips what is between two elements; true: the end was there.
  private mutating func isAtEnd(_ end: Unicode.Scalar, first: Bool) throws(JSONProblem) -> Bool {
    skipSpace()
    if next == UInt8(ascii: end) {
      offset += 1
      return true
    }
    if first { return false }
    guard next == UInt8(ascii: ",") else { throw problem("\",\" or \"\(end)\" is missing") }
    offset += 1
    skipSpace()
    if next == UInt8(ascii: end) { throw problem("a \",\" with nothing behind it") }
    return false
  }

  private mutating func elements() throws(JSONProblem) -> [JSONValue] {
    var result: [JSONValue] = []
    while !(try isAtEnd("]", first: result.isEmpty)) { result.append(try value()) }
    return result
  }

  private mutating func members() throws(JSONProblem) -> [JSONMember] {
    var result: [JSONMember] = []
    var names: Set<String> = []
    while !(try isAtEnd("}", first: result.isEmpty)) {
      let start = position
      guard next == UInt8(ascii: "\"") else {
        throw problem("a name in quotation marks is missing")
      }
      let name = try string()
      guard names.insert(name).inserted else {
        throw JSONProblem(position: start, reason: "\(Escaping.quoted(name)) is there twice")
      }
      skipSpace()
      guard next == UInt8(ascii: ":") else { throw problem("\":\" is missing") }
      offset += 1
      skipSpace()
      result.append(JSONMember(name: name, position: start, value: try value()))
    }
    return result
  }

  private mutating func word(
    _ text: StaticString, _ content: JSONValue.Content
  ) throws(JSONProblem) -> JSONValue.Content {
    let expected = text.withUTF8Buffer { Array($0) }
    guard bytes[offset...].starts(with: expected) else {
      throw problem("expected \(text)")
    }
    offset += expected.count
    return content
  }

  private mutating func number() throws(JSONProblem) -> JSONValue.Content {
    let start = offset
    if next == UInt8(ascii: "-") { offset += 1 }
    let leading = next
    let whole = try digits()
    if leading == UInt8(ascii: "0"), whole > 1 { throw problem("a number with a leading zero") }
    if next == UInt8(ascii: ".") {
      offset += 1
      _ = try digits()
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      offset += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { offset += 1 }
      _ = try digits()
    }
    return .number(String(decoding: bytes[start..<offset], as: UTF8.self))
  }

  private mutating func digits() throws(JSONProblem) -> Int {
    let start = offset
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { offset += 1 }
    guard offset > start else { throw problem("a digit is missing") }
    return offset - start
  }
}

extension JSONParser {
  /// Reads a string from its opening quotation mark on.
  private mutating func string() throws(JSONProblem) -> String {
    let start = position
    offset += 1
    var text: [UInt8] = []
    while true {
      guard let byte = next else {
        throw JSONProblem(position: start, reason: "the string has no end")
      }
      switch byte {
      case UInt8(ascii: "\""):
        offset += 1
        guard let string = String(validating: text, as: UTF8.self) else {
          throw JSONProblem(position: start, reason: "the string isn't UTF-8")
        }
        return string
      case UInt8(ascii: "\\"): try escape(into: &text)
      case 0..<0x20: throw problem("a control character in a string; write it as \\u00XX")
      default:
        text.append(byte)
        offset += 1
      }
    }
  }

  private mutating func escape(into text: inout [UInt8]) throws(JSONProblem) {
    let letter = offset + 1 < bytes.count ? bytes[offset + 1] : 0
    let plain: [UInt8: UInt8] = [
      UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): 0x5C, UInt8(ascii: "/"): 0x2F,
      UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12, UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13,
      UInt8(ascii: "t"): 9,
    ]
    if let byte = plain[letter] {
      text.append(byte)
      offset += 2
      return
    }
    guard letter == UInt8(ascii: "u") else { throw problem("an unknown escape in a string") }
    var unit = try codeUnit()
    if (0xD800..<0xDC00).contains(unit) {
      let low = try codeUnit()
      guard (0xDC00..<0xE000).contains(low) else { throw problem("half of a surrogate pair") }
      unit = 0x1_0000 + (unit - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(unit) else { throw problem("half of a surrogate pair") }
    text.append(contentsOf: String(scalar).utf8)
  }

  /// Reads `\uXXXX`.
  private mutating func codeUnit() throws(JSONProblem) -> UInt32 {
    let end = offset + 6
    guard end <= bytes.count, bytes[offset] == UInt8(ascii: "\\"),
      bytes[offset + 1] == UInt8(ascii: "u"),
      let pair = Hexadecimal.bytes(String(decoding: bytes[offset + 2..<end], as: UTF8.self)),
      pair.count == 2
    else { throw problem("\\u needs four hexadecimal digits, and a high surrogate a low one") }
    offset = end
    return UInt32(pair[0]) << 8 | UInt32(pair[1])
  }
}
