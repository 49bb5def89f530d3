/// Breaks lines between words, so that they fit a terminal.
enum Wrapping {
  /// The text with line feeds where lines would be too long. A broken line goes on under its first
  /// word; a word that is longer than a line stays whole, and so does a command behind "$ ", which
  /// is there to be copied.
  static func wrapped(_ text: String, columns: Int) -> String {
    guard columns >= 20 else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { line(String($0), columns) }.joined(separator: "\n")
  }

  private static func line(_ line: String, _ columns: Int) -> String {
    guard DisplayWidth.of(line) > columns else { return line }
    let indent = String(line.prefix { $0 == " " })
    guard !line.dropFirst(indent.count).hasPrefix("$ ") else { return line }
    var result = indent
    var width = indent.count
    var isFirst = true
    for word in line.dropFirst(indent.count).split(separator: " ", omittingEmptySubsequences: false)
    {
      let length = DisplayWidth.of(String(word))
      if isFirst {
        isFirst = false
      } else if width + 1 + length > columns {
        result += "\n" + indent
        width = indent.count
      } else {
        result += " "
        width += 1
      }
      result += word
      width += length
    }
    return result
  }
}
