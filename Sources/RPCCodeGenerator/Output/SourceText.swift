/// Swift source that is being written, line by line.
struct SourceText {
  private(set) var text = ""
  private var indentation = ""

  /// Writes a line; an empty one without indentation.
  mutating func line(_ line: String = "") {
    if !line.isEmpty {
      text += indentation
      text += line
    }
    text += "\n"
  }

  /// Writes a header with an opening brace, what `body` writes, and the closing brace.
  mutating func block(_ header: String, _ body: (inout SourceText) -> Void) {
    line(header + " {")
    indented(body)
    line("}")
  }

  /// Writes lines further to the right.
  mutating func indented(_ body: (inout SourceText) -> Void) {
    indentation += "  "
    body(&self)
    indentation.removeLast(2)
  }

  /// Writes a comment of the schema as a doc comment; `fallback` where there is none.
  mutating func documentation(_ comment: String?, fallback: String) {
    var lines = (comment ?? "").split(separator: "\n", omittingEmptySubsequences: false)
      .map(Self.trimmed)
    while lines.last?.isEmpty == true { lines.removeLast() }
    while lines.first?.isEmpty == true { lines.removeFirst() }
    if lines.isEmpty { lines = [fallback] }
    for content in lines { line(content.isEmpty ? "///" : "/// \(content)") }
  }

  /// Without the space that the comment's marker is followed by, and without spaces at the end.
  private static func trimmed(_ line: Substring) -> String {
    var content = line.hasPrefix(" ") ? line.dropFirst() : line
    while content.last?.isWhitespace == true { content.removeLast() }
    return String(content)
  }
}
