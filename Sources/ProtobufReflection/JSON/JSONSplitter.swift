/// Finds the texts in a stream of JSON objects one behind the other, as their bytes come in.
///
/// It looks only for where an object ends; what is wrong within one, its parser says.
public struct JSONSplitter: Sendable {
  /// A text of the stream.
  public struct Text: Sendable {
    /// Its bytes, from its first brace to its last.
    public let bytes: [UInt8]
    /// The line of the stream in which it begins, from 1.
    public let line: Int
  }

  private var bytes: [UInt8] = []
  /// How much of `bytes` has been looked at.
  private var position = 0
  private var line = 1
  private var depth = 0
  private var isInString = false
  private var isEscaped = false

  /// Makes a splitter at the start of a stream.
  public init() {}

  /// Takes the next bytes of the stream.
  public mutating func append(_ more: some Sequence<UInt8>) {
    bytes += more
  }

  /// The next whole text; nil: more bytes are needed.
  public mutating func next() -> Text? {
    skipSpace()
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if takes(byte) { return cut() }
    }
    return nil
  }

  /// What is left when the stream has ended; nil: nothing but space.
  public mutating func rest() -> Text? {
    skipSpace()
    return bytes.isEmpty ? nil : cut(all: true)
  }

  /// - Returns: True when the byte ends a text.
  private mutating func takes(_ byte: UInt8) -> Bool {
    if isInString {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInString = false
      }
      return false
    }
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      depth -= 1
      return depth <= 0
    // A text that is no object ends with its line, so that it is refused and not waited for.
    case UInt8(ascii: "\n"): return depth == 0
    default: break
    }
    return false
  }

  private mutating func skipSpace() {
    guard position == 0 else { return }
    let space = bytes.prefix { " \t\r\n".utf8.contains($0) }
    line += space.count { $0 == UInt8(ascii: "\n") }
    bytes.removeFirst(space.count)
  }

  private mutating func cut(all: Bool = false) -> Text {
    let text = Text(bytes: Array(bytes.prefix(all ? bytes.count : position)), line: line)
    line += text.bytes.count { $0 == UInt8(ascii: "\n") }
    bytes.removeFirst(text.bytes.count)
    position = 0
    depth = 0
    isInString = false
    isEscaped = false
    return text
  }
}
