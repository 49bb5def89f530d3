/// A line that a person is typing: what the keys of a terminal in raw mode make of it. Pure.
struct LineEditor: Equatable {
  /// What a byte of input did.
  enum Change: Equatable {
    /// Nothing that is seen.
    case none

    /// The text is another one.
    case text

    /// The line has to be drawn again (Ctrl-L).
    case redraw

    /// The line is complete.
    case line(String)

    /// There is no more input (Ctrl-D on an empty line).
    case end
  }

  /// The longest line; what is typed beyond it is dropped.
  static let maximumBytes = 8_192

  private enum Escape {
    case none, begun, sequence
  }

  private var bytes: [UInt8] = []
  private var escape = Escape.none

  /// What has been typed: without a character that isn't complete yet.
  var text: String { String(decoding: bytes.prefix(completeBytes), as: UTF8.self) }

  /// Forgets what has been typed.
  mutating func reset() {
    bytes = []
    escape = .none
  }

  /// Takes one byte of the keyboard.
  mutating func take(_ byte: UInt8) -> Change {
    guard escape == .none else { return takeEscaped(byte) }
    switch byte {
    case 0x0A, 0x0D:
      let line = String(decoding: bytes, as: UTF8.self)
      reset()
      return .line(line)
    case 0x04: return bytes.isEmpty ? .end : .none
    case 0x08, 0x7F: return change { _ = $0.popLast() }
    case 0x15: return change { $0 = "" }
    case 0x17: return change { Self.removeWord(&$0) }
    case 0x0C: return .redraw
    case 0x1B:
      escape = .begun
      return .none
    case 0..<0x20: return .none
    default:
      guard bytes.count < Self.maximumBytes else { return .none }
      bytes.append(byte)
      return completeBytes == bytes.count ? .text : .none
    }
  }

  /// Arrow keys and their like send sequences, which do nothing here and aren't text.
  private mutating func takeEscaped(_ byte: UInt8) -> Change {
    switch escape {
    case .begun: escape = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") ? .sequence : .none
    default: if (0x40...0x7E).contains(byte) { escape = .none }
    }
    return .none
  }

  private mutating func change(_ body: (inout String) -> Void) -> Change {
    guard !bytes.isEmpty else { return .none }
    var text = text
    body(&text)
    bytes = Array(text.utf8)
    return .text
  }

  private static func removeWord(_ text: inout String) {
    while text.last == " " { text.removeLast() }
    while let last = text.last, last != " " { text.removeLast() }
  }

  /// How many bytes are whole characters.
  private var completeBytes: Int {
    for place in bytes.indices.suffix(4).reversed() where bytes[place] & 0xC0 != 0x80 {
      let length: Int
      switch bytes[place] {
      case 0xC0..<0xE0: length = 2
      case 0xE0..<0xF0: length = 3
      case 0xF0...: length = 4
      default: length = 1
      }
      return place + length > bytes.count ? place : bytes.count
    }
    return bytes.count
  }
}
