/// Aligned columns of text.
struct TextTable {
  struct Cell: ExpressibleByStringInterpolation {
    var text: String
    var look = TextStyle.Look.plain

    init(_ text: String, _ look: TextStyle.Look = .plain) {
      self.text = text
      self.look = look
    }

    init(stringLiteral value: String) {
      text = value
    }
  }

  let head: [String]
  var rows: [[Cell]] = []

  /// The columns at the left that are aligned to the left; the others hold figures.
  var leftColumns = 1

  init(head: [String]) {
    self.head = head
  }

  func text(_ style: TextStyle) -> String {
    let widths = head.indices.map { column in
      rows.reduce(head[column].count) { max($0, column < $1.count ? $1[column].text.count : 0) }
    }
    let rule = widths.map { String(repeating: "─", count: $0) }.joined(separator: "──")
    let titles = line(head.map { Cell($0, .bold) }, widths, style)
    let body = rows.map { line($0, widths, style) }
    return ([titles, style.apply(.dim, to: rule)] + body).joined(separator: "\n") + "\n"
  }

  private func line(_ cells: [Cell], _ widths: [Int], _ style: TextStyle) -> String {
    var line = ""
    for (column, cell) in cells.enumerated() {
      let space = String(repeating: " ", count: max(0, widths[column] - cell.text.count))
      let shown = style.apply(cell.look, to: cell.text)
      if column > 0 { line += "  " }
      line += column < leftColumns ? shown + space : space + shown
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}
