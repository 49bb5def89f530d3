/// What a terminal shows: enough of one for text, line feeds and the cursor movements of the shop.
struct TerminalScreen {
  let columns: Int
  private let rows: Int
  private var lines: [[Character]] = [[]]
  private var row = 0
  private var column = 0

  /// Whether there was a sequence for colour or boldness.
  private(set) var hasLooks = false

  /// What has come of an escape sequence.
  private var escape: String?

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// All that was ever shown and not cleared, also what has scrolled away.
  var text: String { lines.map { String($0) }.joined(separator: "\n") }

  /// Shows text.
  ///
  /// - Returns: the text without escape sequences.
  mutating func take(_ text: String) -> String {
    var plain = ""
    // Scalars, since a carriage return with a line feed is one character.
    for scalar in text.unicodeScalars {
      if escape != nil {
        takeEscaped(scalar)
      } else if scalar == "\u{1B}" {
        escape = ""
      } else {
        take(scalar)
        if scalar != "\r" { plain.unicodeScalars.append(scalar) }
      }
    }
    return plain
  }

  private mutating func take(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\r": column = 0
    case "\n": moveDown()
    default:
      // A full line is left with the next character, not with its last.
      if column == columns {
        moveDown()
        column = 0
      }
      while lines[row].count < column { lines[row].append(" ") }
      if column < lines[row].count {
        lines[row][column] = Character(scalar)
      } else {
        lines[row].append(Character(scalar))
      }
      column += 1
    }
  }

  private mutating func moveDown() {
    row += 1
    if row == lines.count { lines.append([]) }
  }

  private mutating func takeEscaped(_ scalar: Unicode.Scalar) {
    let sequence = (escape ?? "") + String(scalar)
    escape = sequence
    guard sequence != "[", scalar.properties.isAlphabetic else { return }
    escape = nil
    let number = Int(sequence.dropFirst().dropLast())
    switch scalar {
    case "m": hasLooks = true
    case "A": row = max(0, row - (number ?? 1))
    case "H":
      row = max(0, lines.count - rows)
      column = 0
    case "J":
      if number == 2 {
        lines = [[]]
        row = 0
      } else {
        lines.removeSubrange((row + 1)...)
        lines[row].removeSubrange(min(column, lines[row].count)...)
      }
    default: break
    }
    column = min(column, columns - 1)
  }
}
