/// Makes text from outside safe to show in an error, a log line or a terminal.
public enum Escaping {
  /// How many characters of a value are shown before it is cut.
  public static let shownCharacters = 80

  /// The text in quotation marks, everything that isn't plainly visible as `\u{...}`, cut after
  /// `shownCharacters` with the length of the whole behind it.
  public static func quoted(_ text: String) -> String {
    var text = text
    return text.withUTF8 { quoted(UnsafeRawBufferPointer($0)) }
  }

  /// Bytes that may be UTF-8, as `quoted(_:)` with a string shows them; a byte that isn't part of
  /// valid UTF-8 is shown as `\xNN`.
  public static func quoted(_ bytes: UnsafeRawBufferPointer) -> String {
    var result = "\""
    var position = 0
    var shown = 0
    while position < bytes.count && shown < shownCharacters {
      if let (scalar, length) = UTF8Scalars.first(bytes, at: position) {
        append(scalar, to: &result)
        position += length
      } else {
        result += "\\x" + hexadecimal(UInt32(bytes[position]), width: 2)
        position += 1
      }
      shown += 1
    }
    result += "\""
    return position < bytes.count ? result + "… (\(bytes.count) bytes)" : result
  }

  private static func append(_ scalar: Unicode.Scalar, to text: inout String) {
    switch scalar {
    case "\"", "\\": text += "\\" + String(scalar)
    default:
      if isPlain(scalar) {
        text.unicodeScalars.append(scalar)
      } else {
        text += "\\u{" + hexadecimal(scalar.value, width: 1) + "}"
      }
    }
  }

  /// Neither a control character nor one that changes how its neighbours are shown.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x7F { return scalar.value >= 0x20 }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse:
      return false
    default: return true
    }
  }

  private static func hexadecimal(_ value: UInt32, width: Int) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
