/// Numbered rows for people: in columns where there is room, else two lines for each.
struct Listing {
  /// One row. Its texts may be of others.
  struct Row {
    /// What a person enters to choose it; empty: it can't be chosen.
    var number = ""

    /// What it is called; cut off where there is no room.
    var title: String
    var details: [String]
    var look = TextStyle.Look.plain
  }

  /// The title of each column.
  let titles: [String]

  /// The columns of details, from 0, that end at the same place.
  var rightAligned: Set<Int> = []
  private(set) var rows: [Row] = []

  /// The narrowest column of titles.
  private static let leastTitle = 16

  init(titles: [String], rightAligned: Set<Int> = []) {
    self.titles = titles
    self.rightAligned = rightAligned
  }

  mutating func add(_ row: Row) {
    rows.append(
      Row(
        number: row.number, title: PlainText.of(row.title),
        details: row.details.map { PlainText.of($0) }, look: row.look))
  }

  /// The rows, each with its line feed.
  func text(columns: Int, _ style: TextStyle) -> String {
    let number = rows.map(\.number.count).max() ?? 0
    let widths = titles.dropFirst().indices.map { place in
      rows.map { DisplayWidth.of($0.details[place - 1]) }.max().map {
        max($0, titles[place].count)
      } ?? 0
    }
    let title = max(titles[0].count, rows.map { DisplayWidth.of($0.title) }.max() ?? 0)
    let room = columns - number - 4 - widths.reduce(0) { $0 + $1 + 2 }
    guard room >= min(title, Self.leastTitle) else { return stacked(columns, number, style) }
    let all = [min(title, room)] + widths
    let head = line(Row(title: titles[0], details: Array(titles.dropFirst())), number, all)
    return style.apply(.bold, to: head) + "\n"
      + rows.map { style.apply($0.look, to: line($0, number, all)) + "\n" }.joined()
  }

  private func line(_ row: Row, _ number: Int, _ widths: [Int]) -> String {
    var line = "  " + padded(row.number, number, atStart: true)
    for (place, cell) in ([row.title] + row.details).enumerated() {
      let shown = place == 0 ? DisplayWidth.cut(cell, to: widths[0]) : cell
      line += "  " + padded(shown, widths[place], atStart: rightAligned.contains(place - 1))
    }
    while line.last == " " { line.removeLast() }
    return line
  }

  private func stacked(_ columns: Int, _ number: Int, _ style: TextStyle) -> String {
    let indent = String(repeating: " ", count: number + 4)
    return rows.map { row in
      let title = DisplayWidth.cut(row.title, to: max(4, columns - indent.count))
      let first = "  " + padded(row.number, number, atStart: true) + "  " + title
      let details = row.details.filter { !$0.isEmpty }.joined(separator: " · ")
      return [first, indent + details].map { style.apply(row.look, to: $0) + "\n" }.joined()
    }.joined()
  }

  private func padded(_ text: String, _ width: Int, atStart: Bool) -> String {
    let space = String(repeating: " ", count: max(0, width - DisplayWidth.of(text)))
    return atStart ? space + text : text + space
  }
}
