/// Values as options and the text format write them.
enum TextFormat {
  /// The fields that are set, by number, each element of a repeated one by itself.
  static func fields(of message: DynamicMessage) -> [(name: String, value: String)] {
    var texts: [(name: String, value: String)] = []
    for field in message.type.fields.sorted(by: { $0.number < $1.number }) {
      switch message[field.number] {
      case .single(let value): texts.append((field.name, text(value, field)))
      case .list(let values): texts += values.map { (field.name, text($0, field)) }
      // Options with maps are nobody's habit.
      case .map, nil: break
      }
    }
    return texts
  }

  private static func text(_ value: DynamicValue, _ field: MessageField) -> String {
    switch value {
    case .bool(let value): "\(value)"
    case .int32(let value): "\(value)"
    case .int64(let value): "\(value)"
    case .uint32(let value): "\(value)"
    case .uint64(let value): "\(value)"
    case .float(let value): "\(value)"
    case .double(let value): "\(value)"
    case .string(let value): quoted(value)
    case .bytes(let value): quoted(String(decoding: value, as: UTF8.self))
    case .enumeration(let number): field.enumType?.name(of: number) ?? "\(number)"
    case .message(let message):
      "{ " + fields(of: message).map { "\($0.name): \($0.value)" }.joined(separator: ", ") + " }"
    }
  }

  /// In double quotes, with escapes.
  static func quoted(_ text: String) -> String { JSONWriter.quoted(text) }
}

extension Character {
  /// Moves the cursor, rings a bell or colours a terminal.
  var isControl: Bool {
    unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\t" }
  }
}
