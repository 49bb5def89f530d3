/// Rows of text in aligned columns.
struct Table {
  private var rows: [[String]]

  /// Columns that are aligned at their right end, from 0.
  private let rightAligned: Set<Int>

  init(header: [String], rightAligned: Set<Int> = []) {
    rows = [header.map { $0.uppercased() }]
    self.rightAligned = rightAligned
  }

  mutating func add(_ row: [String]) {
    rows.append(row)
  }

  var text: String {
    let widths = rows[0].indices.map { column in rows.map { width($0[column]) }.max() ?? 0 }
    return rows.map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        let padding = String(repeating: " ", count: widths[column] - width(cell))
        line += rightAligned.contains(column) ? padding + cell : cell + padding
        line += "  "
      }
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }

  private func width(_ text: String) -> Int { text.count }
}
