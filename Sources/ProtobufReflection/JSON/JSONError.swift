/// Why a JSON text isn't a message, or a message has no JSON form.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The field that it is about: `items[2].price.minorUnits`; empty: the whole message.
  public let path: String

  /// The line in the text, from 1; nil when it is about a message.
  public let line: Int?

  /// The column in the line, in characters, from 1.
  public let column: Int?

  /// What is wrong, and what is expected.
  public let reason: String

  /// Where, and what.
  public var description: String {
    var parts: [String] = []
    if let line, let column { parts.append("line \(line), column \(column)") }
    if !path.isEmpty { parts.append(path) }
    return (parts + [reason]).joined(separator: ": ")
  }

  /// An error about a message.
  init(path: String, reason: String) {
    self.path = path
    self.reason = reason
    line = nil
    column = nil
  }

  /// An error at a byte of a text.
  init(path: String = "", at offset: Int, of text: [UInt8], firstLine: Int = 1, reason: String) {
    self.path = path
    self.reason = reason
    let before = text.prefix(offset)
    line = firstLine + before.count { $0 == UInt8(ascii: "\n") }
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    column = 1 + String(decoding: before[start...], as: UTF8.self).count
  }
}
