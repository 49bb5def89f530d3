import OnsideProto

/// Writes an event's parameters, which have been checked, as a JSON object. Their order stays.
struct EventJSON {
  private(set) var text = ""

  mutating func append(_ parameters: [EventParameter]) {
    text += "{"
    for (position, parameter) in parameters.enumerated() {
      if position > 0 { text += "," }
      append(parameter.name)
      text += ":"
      append(parameter.value?.value)
    }
    text += "}"
  }

  private mutating func append(_ value: EventValue.Value?) {
    switch value {
    case .text(let value): append(value)
    case .number(let number): append(number)
    case .flag(let flag): text += flag ? "true" : "false"
    case .list(let list):
      text += "["
      for (position, element) in list.values.enumerated() {
        if position > 0 { text += "," }
        append(element.value)
      }
      text += "]"
    case nil: text += "null"
    }
  }

  /// Whole numbers without a fraction, as other languages write them.
  private mutating func append(_ number: Double) {
    if let whole = Int64(exactly: number), abs(number) < 1e15, number.sign == .plus || whole != 0 {
      text += String(whole)
    } else {
      text += number.description
    }
  }

  private mutating func append(_ string: String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
