/// Aligned columns of text.
package struct TextTable {
  package struct Cell: ExpressibleByStringInterpolation {
    package var text: String
    package var look = TextStyle.Look.plain

    package init(_ text: String, _ look: TextStyle.Look = .plain) {
      self.text = text
      self.look = look
    }

    package init(stringLiteral value: String) {
      text = value
    }
  }

  package let head: [String]
  package var rows: [[Cell]] = []

  /// The columns at the left that are aligned to the left; the others hold figures.
  package var leftColumns = 1

  package init(head: [String]) {
    self.head = head
  }

  package func text(_ style: TextStyle) -> String {
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
