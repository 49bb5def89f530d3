import OnsideDomain

/// Reads JSON (RFC 8259) from bytes value by value, and knows the line and column of each.
///
/// Strings are read in place: their escapes are replaced in the bytes themselves, which a decoded
/// string always fits into, and a string is the place where it then stands. So reading allocates
/// nothing, and the bytes are of no use for a second reading.
struct JSONScanner {
  /// What kind of value comes next.
  enum Kind {
    case object, array, string, number, boolean, null
  }

  /// How many values may be in each other.
  static let maximumDepth = 64

  let bytes: UnsafeMutableRawBufferPointer
  private(set) var offset = 0
  private var line: Int
  private var lineStart = 0
  private var depth = 0

  /// Reads all of `bytes`, the first of which are on line `line`.
  init(_ bytes: UnsafeMutableRawBufferPointer, line: Int = 1) {
    self.bytes = bytes
    self.line = line
    // A byte order mark, as some editors write one.
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { offset = 3 }
  }

  /// Where the next byte is read.
  var position: JSONPosition { position(at: offset) }

  /// The place of a byte of the current line.
  private func position(at offset: Int) -> JSONPosition {
    JSONPosition(line: line, column: offset - lineStart + 1)
  }

  /// The text isn't JSON at the next byte.
  func malformed(_ reason: String) -> CatalogueProblem { position.malformed(reason) }

  /// The value that was read last, or is read next, can't be used.
  func invalid(_ reason: String) -> CatalogueProblem { position.invalid(reason) }

  @inline(__always)
  private var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  @inline(__always)
  private mutating func skipWhitespace() {
    while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
      case UInt8(ascii: "\n"):
        line += 1
        lineStart = offset + 1
      default: return
      }
      offset += 1
    }
  }

  private var found: String {
    guard let current else { return "the end" }
    return withUnsafeBytes(of: current) { Escaping.quoted($0) }
  }

  private mutating func expect(_ mark: Unicode.Scalar) throws(CatalogueProblem) {
    skipWhitespace()
    guard current == UInt8(ascii: mark) else {
      throw malformed("expected \"\(mark)\", found \(found)")
    }
    offset += 1
  }

  /// The kind of the next value; stands at its first byte afterwards.
  mutating func peek() throws(CatalogueProblem) -> Kind {
    skipWhitespace()
    switch current {
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "\""): return .string
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .boolean
    case UInt8(ascii: "n"): return .null
    case UInt8(ascii: "-"): return .number
    case .some(let byte) where (0x30...0x39).contains(byte): return .number
    default: throw malformed("expected a JSON value, found \(found)")
    }
  }

  /// Makes sure that nothing but white space is left.
  mutating func finish() throws(CatalogueProblem) {
    skipWhitespace()
    guard current == nil else { throw malformed("expected the end, found \(found)") }
  }

  /// True if nothing but white space is left.
  mutating func isAtEnd() -> Bool {
    skipWhitespace()
    return current == nil
  }

  /// Whether an object comes next whose first key is `key`, written without escapes. Reads nothing.
  func startsObject(withFirstKey key: StaticString) -> Bool {
    var copy = self
    copy.skipWhitespace()
    guard copy.take("{") else { return false }
    copy.skipWhitespace()
    return copy.take("\"") && copy.take(key) && copy.take("\"")
  }

  // MARK: Objects and arrays

  /// Begins an object; `nextKey` comes next.
  mutating func beginObject() throws(CatalogueProblem) {
    try expect("{")
    try descend()
  }

  /// Begins an array; `nextElement` comes next.
  mutating func beginArray() throws(CatalogueProblem) {
    try expect("[")
    try descend()
  }

  private mutating func descend() throws(CatalogueProblem) {
    guard depth < Self.maximumDepth else {
      throw malformed("values are nested deeper than \(Self.maximumDepth)")
    }
    depth += 1
  }

  /// The next key of the object; nil at its end. `isFirst` is true before the first one.
  mutating func nextKey(_ isFirst: inout Bool) throws(CatalogueProblem) -> Range<Int>? {
    guard try next("}", &isFirst) else { return nil }
    skipWhitespace()
    guard current == UInt8(ascii: "\"") else { throw malformed("expected a key, found \(found)") }
    let key = try string()
    try expect(":")
    return key
  }

  /// Whether the array has another element. `isFirst` is true before the first one.
  mutating func nextElement(_ isFirst: inout Bool) throws(CatalogueProblem) -> Bool {
    try next("]", &isFirst)
  }

  private mutating func next(_ end: Unicode.Scalar, _ isFirst: inout Bool) throws(CatalogueProblem)
    -> Bool
  {
    skipWhitespace()
    if current == UInt8(ascii: end) {
      offset += 1
      depth -= 1
      return false
    }
    if !isFirst {
      guard current == UInt8(ascii: ",") else {
        throw malformed("expected \",\" or \"\(end)\", found \(found)")
      }
      offset += 1
    }
    isFirst = false
    return true
  }

  // MARK: Other values

  /// The next value, a string: where its decoded bytes are.
  mutating func string() throws(CatalogueProblem) -> Range<Int> {
    try expect("\"")
    var decoder = JSONStringDecoder(bytes: bytes, offset: offset)
    if let problem = decoder.run() { throw position(at: problem.offset).malformed(problem.reason) }
    offset = decoder.offset
    return decoder.text
  }

  /// The next value, a number: where its text is.
  mutating func number() throws(CatalogueProblem) -> Range<Int> {
    skipWhitespace()
    let start = offset
    if current == UInt8(ascii: "-") { offset += 1 }
    let hasLeadingZero = current == UInt8(ascii: "0")
    let digits = skipDigits()
    guard digits == 1 || digits > 1 && !hasLeadingZero else { throw malformed("malformed number") }
    if current == UInt8(ascii: ".") {
      offset += 1
      guard skipDigits() > 0 else { throw malformed("malformed number") }
    }
    if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
      offset += 1
      if current == UInt8(ascii: "-") || current == UInt8(ascii: "+") { offset += 1 }
      guard skipDigits() > 0 else { throw malformed("malformed number") }
    }
    return start..<offset
  }

  private mutating func skipDigits() -> Int {
    let start = offset
    while let byte = current, (0x30...0x39).contains(byte) { offset += 1 }
    return offset - start
  }

  /// The next value, true or false.
  mutating func boolean() throws(CatalogueProblem) -> Bool {
    skipWhitespace()
    if take("true") { return true }
    if take("false") { return false }
    throw malformed("expected true or false, found \(found)")
  }

  /// The next value, null.
  mutating func null() throws(CatalogueProblem) {
    skipWhitespace()
    guard take("null") else { throw malformed("expected null, found \(found)") }
  }

  private mutating func take(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard bytes.count - offset >= count else { return false }
    for place in 0..<count where bytes[offset + place] != word.utf8Start[place] { return false }
    offset += count
    return true
  }

  /// Skips the next value with all that is in it.
  mutating func skipValue() throws(CatalogueProblem) {
    switch try peek() {
    case .object:
      try beginObject()
      var isFirst = true
      while try nextKey(&isFirst) != nil { try skipValue() }
    case .array:
      try beginArray()
      var isFirst = true
      while try nextElement(&isFirst) { try skipValue() }
    case .string: _ = try string()
    case .number: _ = try number()
    case .boolean: _ = try boolean()
    case .null: try null()
    }
  }

  /// The text at a place.
  func text(_ range: Range<Int>) -> String {
    String(decoding: UnsafeRawBufferPointer(rebasing: bytes[range]), as: UTF8.self)
  }
}
