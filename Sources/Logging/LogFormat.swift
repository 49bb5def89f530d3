import JSONText

/// How a line is written.
public enum LogFormat: String, Sendable, CaseIterable {
  /// `2026-11-30T08:05:09.012Z info listening on=127.0.0.1:9443 loops=2`
  case text

  /// One JSON object per line, with the members `time`, `level`, `message` and the fields.
  case json

  /// A value longer than this many characters is cut, and says so.
  static let longestValue = 1024

  func line(
    _ time: LogInstant, _ level: LogLevel, _ message: String, _ fields: LogFields,
    suppressed: Int
  ) -> String {
    switch self {
    case .text: textLine(time, level, message, fields, suppressed)
    case .json: jsonLine(time, level, message, fields, suppressed)
    }
  }

  private func textLine(
    _ time: LogInstant, _ level: LogLevel, _ message: String, _ fields: LogFields,
    _ suppressed: Int
  ) -> String {
    var line = "\(time.utc) \(level.name) "
    appendEscaped(cut(message), to: &line, quoting: false)
    for (key, value) in fields {
      line += " \(safeKey(key))="
      appendText(value, to: &line)
    }
    if suppressed > 0 { line += " suppressed=\(suppressed)" }
    return line + "\n"
  }

  private func jsonLine(
    _ time: LogInstant, _ level: LogLevel, _ message: String, _ fields: LogFields,
    _ suppressed: Int
  ) -> String {
    var line = "{\"time\":\"\(time.utc)\",\"level\":\"\(level.name)\",\"message\":"
    appendJSON(.string(message), to: &line)
    for (key, value) in fields {
      line += ",\"\(safeKey(key))\":"
      appendJSON(value, to: &line)
    }
    if suppressed > 0 { line += ",\"suppressed\":\(suppressed)" }
    return line + "}\n"
  }

  private func appendText(_ value: LogValue, to line: inout String) {
    switch value {
    case .string(let text):
      let plain = text.utf8.allSatisfy { byte in
        byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "=")
          && byte != UInt8(ascii: "\\")
      }
      if plain, !text.isEmpty, text.utf8.count <= LogFormat.longestValue {
        line += text
      } else {
        line += "\""
        appendEscaped(cut(text), to: &line, quoting: true)
        line += "\""
      }
    case .integer(let number): line += String(number)
    case .number(let number): line += String(number)
    case .boolean(let flag): line += flag ? "true" : "false"
    case .secret(let secret): line += secret.description
    }
  }

  private func appendJSON(_ value: LogValue, to line: inout String) {
    switch value {
    case .string(let text):
      JSONText.append(cut(text), to: &line, escaping: isUnsafe)
    case .number(let number) where !number.isFinite: line += "\"\(number)\""
    case .secret(let secret): line += "\"\(secret.description)\""
    default: appendText(value, to: &line)
    }
  }
}

private func cut(_ text: String) -> String {
  guard text.utf8.count > LogFormat.longestValue,
    text.unicodeScalars.count > LogFormat.longestValue
  else { return text }
  let scalars = text.unicodeScalars.prefix(LogFormat.longestValue)
  return String(String.UnicodeScalarView(scalars)) + "…(\(text.utf8.count) bytes)"
}

/// Keys are written in source code; whatever else is in one must not break the line.
private func safeKey(_ key: String) -> String {
  let fine = key.utf8.allSatisfy { byte in
    byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "=") && byte != UInt8(ascii: "\"")
      && byte != UInt8(ascii: "\\")
  }
  return fine && !key.isEmpty ? key : "invalid_key"
}

/// Whether a character could forge a line, drive a terminal, or turn the reading direction.
private func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: true
  default: false
  }
}

private func appendEscaped(_ text: String, to line: inout String, quoting: Bool) {
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\n": line += "\\n"
    case "\r": line += "\\r"
    case "\t": line += "\\t"
    case "\"" where quoting: line += "\\\""
    case "\\": line += "\\\\"
    default:
      if isUnsafe(scalar) {
        line += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        line.unicodeScalars.append(scalar)
      }
    }
  }
}
