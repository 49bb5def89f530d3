/// HTML or SVG. What is put into it as a value is escaped; only literals and other markup aren't,
/// so that no text from outside can become part of the page's structure.
struct Markup: ExpressibleByStringInterpolation, Sendable {
  var text = ""

  init() {}

  init(stringLiteral value: String) {
    text = value
  }

  init(stringInterpolation: Interpolation) {
    text = stringInterpolation.text
  }

  /// Text from anywhere.
  init(escaping text: String) {
    self.text = escaped(text)
  }

  static func += (markup: inout Markup, more: Markup) {
    markup.text += more.text
  }

  struct Interpolation: StringInterpolationProtocol {
    var text = ""

    init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + interpolationCount * 8)
    }

    mutating func appendLiteral(_ literal: String) {
      text += literal
    }

    mutating func appendInterpolation(_ value: String) {
      text += escaped(value)
    }

    mutating func appendInterpolation(_ value: Int) {
      text += String(value)
    }

    mutating func appendInterpolation(_ markup: Markup) {
      text += markup.text
    }

    /// One behind the other.
    mutating func appendInterpolation(_ markup: [Markup]) {
      for piece in markup { text += piece.text }
    }
  }
}

/// Text without what has a meaning in HTML, in attributes too, and without control characters.
func escaped(_ text: String) -> String {
  var result = ""
  for scalar in printable(text).unicodeScalars {
    switch scalar {
    case "&": result += "&amp;"
    case "<": result += "&lt;"
    case ">": result += "&gt;"
    case "\"": result += "&quot;"
    case "'": result += "&#39;"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}

/// A table of a page. It can be scrolled sideways where the page is too narrow.
struct MarkupTable {
  let caption: String
  let head: [String]

  /// The columns at the left that hold text; the others hold figures.
  var leftColumns = 1

  /// Whether the last column holds text, too.
  var endsWithText = false
  var rows: [[Markup]] = []

  init(_ caption: String, _ head: [String], leftColumns: Int = 1) {
    self.caption = caption
    self.head = head
    self.leftColumns = leftColumns
  }

  private func isText(_ column: Int) -> Bool {
    column < leftColumns || endsWithText && column == head.count - 1
  }

  var markup: Markup {
    let titles = head.enumerated().map { column, title -> Markup in
      "<th scope=\"col\"\(isText(column) ? " class=\"l\"" : "" as Markup)>\(title)</th>"
    }
    let lines = rows.map { cells -> Markup in
      let shown = cells.enumerated().map { column, cell -> Markup in
        if column == 0 { return "<th scope=\"row\">\(cell)</th>" }
        return isText(column) ? "<td class=\"l\">\(cell)</td>" : "<td>\(cell)</td>"
      }
      return "<tr>\(shown)</tr>\n"
    }
    return """
      <div class="scroll" tabindex="0" role="region" aria-label="\(caption)"><table>
      <thead><tr>\(titles)</tr></thead>
      <tbody>
      \(lines)</tbody></table></div>

      """
  }
}
