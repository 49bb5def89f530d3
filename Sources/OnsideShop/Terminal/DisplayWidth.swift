/// How many columns of a terminal a text takes.
enum DisplayWidth {
  /// The columns of a text without line feeds. Escape sequences for looks take none, East Asian
  /// characters and emoji two; a character's marks belong to it.
  static func of(_ text: String) -> Int {
    var width = 0
    var isInEscape = false
    for character in text {
      guard let scalar = character.unicodeScalars.first else { continue }
      if scalar == "\u{1B}" {
        isInEscape = true
      } else if isInEscape {
        isInEscape = !(character.isASCII && character.isLetter)
      } else {
        width += columns(scalar)
      }
    }
    return width
  }

  /// The beginning of a text that fits, with "…" for what was cut off.
  static func cut(_ text: String, to columns: Int) -> String {
    guard of(text) > columns else { return text }
    var result = ""
    var width = 0
    for character in text {
      let next = of(String(character))
      guard width + next < columns else { break }
      result.append(character)
      width += next
    }
    return result + "…"
  }

  private static func columns(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }
  }

  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF,
    0x20000...0x3FFFD,
  ]
}
