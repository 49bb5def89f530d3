/// How strings are written in JSON, wherever this package writes it.
package enum JSONText {
  /// Adds a string in double quotes.
  ///
  /// What JSON demands is escaped, and what could drive a terminal (control characters, those
  /// above ASCII as well) or break a line for a reader of lines or a script's interpreter.
  ///
  /// - Parameter isUnsafe: What is escaped besides.
  package static func append(
    _ string: String, to text: inout String, escaping isUnsafe: (Unicode.Scalar) -> Bool
  ) {
    text += "\""
    for scalar in string.unicodeScalars {
      if !appendEscaped(scalar, to: &text) {
        if isUnsafe(scalar) {
          appendNumbers(scalar, to: &text)
        } else {
          text.unicodeScalars.append(scalar)
        }
      }
    }
    text += "\""
  }

  /// Adds a string in double quotes; see ``append(_:to:escaping:)``.
  package static func append(_ string: String, to text: inout String) {
    append(string, to: &text) { _ in false }
  }

  /// False, and nothing is added, if the character may stand as it is.
  private static func appendEscaped(_ scalar: Unicode.Scalar, to text: inout String) -> Bool {
    switch scalar {
    case "\"": text += "\\\""
    case "\\": text += "\\\\"
    case "\n": text += "\\n"
    case "\r": text += "\\r"
    case "\t": text += "\\t"
    case "\u{08}": text += "\\b"
    case "\u{0c}": text += "\\f"
    case "\0"..<" ", "\u{7f}"..."\u{9f}", "\u{2028}", "\u{2029}": appendNumbers(scalar, to: &text)
    default: return false
    }
    return true
  }

  /// Adds its UTF-16 units: two beyond the first 65,536 characters.
  private static func appendNumbers(_ scalar: Unicode.Scalar, to text: inout String) {
    for unit in String(scalar).utf16 {
      let digits = String(unit, radix: 16)
      text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }
}
