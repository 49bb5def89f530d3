/// Reads a JSON text; strict as RFC 8259 is: no comments, no trailing commas, no names twice.
struct JSONParser {
  let text: [UInt8]
  let firstLine: Int
  let maximumDepth: Int
  var position = 0
  private var depth = 0

  init(_ text: [UInt8], firstLine: Int = 1, maximumDepth: Int) {
    self.text = text
    self.firstLine = firstLine
    self.maximumDepth = maximumDepth
  }

  /// Reads the whole text.
  mutating func parse() throws(JSONError) -> JSONValue {
    skipSpace()
    let value = try value()
    skipSpace()
    guard position == text.count else { throw error("expected the end of the text") }
    return value
  }

  func error(_ reason: String, at offset: Int? = nil) -> JSONError {
    JSONError(at: offset ?? position, of: text, firstLine: firstLine, reason: reason)
  }

  mutating func skipSpace() {
    while position < text.count {
      switch text[position] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        position += 1
      default: return
      }
    }
  }

  /// The next byte; 0 at the end, which no JSON text has elsewhere.
  var next: UInt8 { position < text.count ? text[position] : 0 }

  private mutating func value() throws(JSONError) -> JSONValue {
    let start = position
    let content: JSONValue.Content =
      switch next {
      case UInt8(ascii: "{"): try nested { parser throws(JSONError) in try parser.object() }
      case UInt8(ascii: "["): try nested { parser throws(JSONError) in try parser.array() }
      case UInt8(ascii: "\""): .string(try string())
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): .number(try number())
      case UInt8(ascii: "t"): try word("true", .bool(true))
      case UInt8(ascii: "f"): try word("false", .bool(false))
      case UInt8(ascii: "n"): try word("null", .null)
      default: throw error(position < text.count ? "expected a value" : "the text ends too early")
      }
    return JSONValue(content: content, offset: start)
  }

  private mutating func nested(
    _ body: (inout JSONParser) throws(JSONError) -> JSONValue.Content
  ) throws(JSONError) -> JSONValue.Content {
    guard depth < maximumDepth else {
      throw error("objects and arrays are nested deeper than the limit of \(maximumDepth)")
    }
    depth += 1
    position += 1
    let content = try body(&self)
    depth -= 1
    return content
  }

  private mutating func object() throws(JSONError) -> JSONValue.Content {
    var members: [JSONMember] = []
    var names: Set<String> = []
    skipSpace()
    if take("}") { return .object(members) }
    while true {
      skipSpace()
      let start = position
      guard next == UInt8(ascii: "\"") else { throw error("expected a name in double quotes") }
      let name = try string()
      guard names.insert(name).inserted else {
        throw error("the name \"\(name)\" is there twice", at: start)
      }
      skipSpace()
      guard take(":") else { throw error("expected a colon") }
      skipSpace()
      members.append(JSONMember(name: name, offset: start, value: try value()))
      skipSpace()
      if take("}") { return .object(members) }
      guard take(",") else { throw error("expected a comma or the end of the object") }
    }
  }

  private mutating func array() throws(JSONError) -> JSONValue.Content {
    var values: [JSONValue] = []
    skipSpace()
    if take("]") { return .array(values) }
    while true {
      skipSpace()
      values.append(try value())
      skipSpace()
      if take("]") { return .array(values) }
      guard take(",") else { throw error("expected a comma or the end of the array") }
    }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func word(
    _ word: StaticString, _ content: JSONValue.Content
  ) throws(JSONError) -> JSONValue.Content {
    let matches = word.withUTF8Buffer { text[position...].starts(with: $0) }
    guard matches else { throw error("expected a value") }
    position += word.utf8CodeUnitCount
    return content
  }

  private mutating func number() throws(JSONError) -> String {
    let length = JSONNumber.length(text[position...])
    guard length > 0 else { throw error("not a number") }
    defer { position += length }
    return String(decoding: text[position..<(position + length)], as: UTF8.self)
  }
}
