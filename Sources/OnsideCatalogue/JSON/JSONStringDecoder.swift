import OnsideDomain

/// Decodes one JSON string in place, from behind its opening quotation mark to behind its closing
/// one.
struct JSONStringDecoder {
  /// What is wrong, and at which byte.
  typealias Problem = (offset: Int, reason: String)

  let bytes: UnsafeMutableRawBufferPointer

  /// The next byte that is read.
  private(set) var offset: Int
  private let start: Int

  /// Where the next decoded byte goes: behind `offset` only after an escape.
  private var end: Int

  init(bytes: UnsafeMutableRawBufferPointer, offset: Int) {
    self.bytes = bytes
    self.offset = offset
    start = offset
    end = offset
  }

  /// The decoded bytes.
  var text: Range<Int> { start..<end }

  /// Decodes the string; returns what is wrong with it.
  mutating func run() -> Problem? {
    while offset < bytes.count {
      skipPlain()
      guard offset < bytes.count else { break }
      let byte = bytes[offset]
      if byte == UInt8(ascii: "\"") {
        offset += 1
        return nil
      }
      if byte == UInt8(ascii: "\\") {
        if let problem = takeEscape() { return problem }
      } else if byte < 0x20 {
        return (offset, "control character in a string: write it as an escape")
      } else if let (_, length) = UTF8Scalars.first(UnsafeRawBufferPointer(bytes), at: offset) {
        for _ in 0..<length { copy() }
      } else {
        return (offset, "the string isn't UTF-8")
      }
    }
    return (offset, "the string doesn't end")
  }

  private mutating func copy() {
    bytes[end] = bytes[offset]
    end += 1
    offset += 1
  }

  /// Takes ASCII without quotation marks, backslashes and control characters.
  @inline(__always)
  private mutating func skipPlain() {
    let isInPlace = end == offset
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        return
      }
      if !isInPlace { bytes[end] = byte }
      end += 1
      offset += 1
    }
  }

  private mutating func takeEscape() -> Problem? {
    let place = offset
    guard offset + 1 < bytes.count else { return (place, "the string doesn't end") }
    let mark = bytes[offset + 1]
    offset += 2
    switch mark {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): append(mark)
    case UInt8(ascii: "b"): append(0x08)
    case UInt8(ascii: "f"): append(0x0C)
    case UInt8(ascii: "n"): append(0x0A)
    case UInt8(ascii: "r"): append(0x0D)
    case UInt8(ascii: "t"): append(0x09)
    case UInt8(ascii: "u"):
      guard let scalar = takeScalar() else { return (place, "malformed \\u escape in a string") }
      for unit in UTF8.encode(scalar).map(Array.init) ?? [] { append(unit) }
    default: return (place, "unknown escape in a string")
    }
    return nil
  }

  private mutating func append(_ byte: UInt8) {
    bytes[end] = byte
    end += 1
  }

  /// The scalar of one `\u` escape, or of two that are a surrogate pair.
  private mutating func takeScalar() -> Unicode.Scalar? {
    guard let unit = takeUnit() else { return nil }
    guard UTF16.isLeadSurrogate(unit) else { return Unicode.Scalar(unit) }
    guard offset + 1 < bytes.count, bytes[offset] == UInt8(ascii: "\\"),
      bytes[offset + 1] == UInt8(ascii: "u")
    else { return nil }
    offset += 2
    guard let trail = takeUnit(), UTF16.isTrailSurrogate(trail) else { return nil }
    return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
  }

  private mutating func takeUnit() -> UInt16? {
    guard bytes.count - offset >= 4 else { return nil }
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(bytes[offset])).hexDigitValue else { return nil }
      value = value << 4 | UInt16(digit)
      offset += 1
    }
    return value
  }
}
