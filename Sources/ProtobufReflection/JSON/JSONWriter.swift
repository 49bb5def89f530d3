import JSONText

/// Writes JSON text, in one line or indented by two spaces.
package struct JSONWriter {
  /// What has been written.
  package private(set) var text = ""
  private let isIndented: Bool
  private var isFirst = true
  private var depth = 0

  package init(isIndented: Bool = false) {
    self.isIndented = isIndented
  }

  /// A string in double quotes.
  package static func quoted(_ text: String) -> String {
    var writer = JSONWriter()
    writer.string(text)
    return writer.text
  }

  /// Goes into an object or array with its opening bracket.
  package mutating func begin(_ bracket: String) {
    text += bracket
    isFirst = true
    depth += 1
  }

  /// Ends the object or array with its closing bracket.
  package mutating func end(_ bracket: String) {
    depth -= 1
    if isIndented, !isFirst { text += "\n" + String(repeating: "  ", count: depth) }
    text += bracket
    isFirst = false
  }

  /// Begins an element of an array.
  package mutating func element() {
    if !isFirst { text += "," }
    isFirst = false
    if isIndented { text += "\n" + String(repeating: "  ", count: depth) }
  }

  /// Begins a member of an object.
  package mutating func name(_ name: String) {
    element()
    string(name)
    text += isIndented ? ": " : ":"
  }

  /// Writes a value as it is: a number, `true`, `null`.
  package mutating func raw(_ value: String) {
    text += value
  }

  /// Writes a string in double quotes.
  package mutating func string(_ value: String) {
    JSONText.append(value, to: &text)
  }
}
