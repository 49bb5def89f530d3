extension MessageJSONReader {
  /// Reads one value.
  ///
  /// - Returns: nil for an enumeration's unknown name that is to be skipped.
  mutating func element(
    _ value: JSONValue, _ field: MessageField
  ) throws(JSONError) -> DynamicValue? {
    switch field.kind {
    case .bool:
      guard case .bool(let bool) = value.content else { throw expected("true or false", value) }
      return .bool(bool)
    case .int32, .sint32, .sfixed32: return .int32(try integer(value))
    case .int64, .sint64, .sfixed64: return .int64(try integer(value))
    case .uint32, .fixed32: return .uint32(try integer(value))
    case .uint64, .fixed64: return .uint64(try integer(value))
    case .float: return .float(try float(value))
    case .double: return .double(try double(value))
    case .string:
      guard case .string(let string) = value.content else { throw expected("a string", value) }
      return .string(string)
    case .bytes:
      guard case .string(let string) = value.content, let bytes = Base64.decode(string) else {
        throw expected("base64 in a string", value)
      }
      return .bytes(bytes)
    case .enumeration: return try enumeration(value, field).map { .enumeration($0) }
    case .message:
      guard let type = field.messageType else { return nil }
      return .message(try message(value, as: type))
    case .group: return nil
    }
  }

  /// Reads the key of a map, which JSON always has as a string.
  func key(_ member: JSONMember, _ field: MessageField) throws(JSONError) -> DynamicValue {
    let name = JSONValue(content: .string(member.name), offset: member.offset)
    switch field.kind {
    case .string: return .string(member.name)
    case .bool:
      switch member.name {
      case "true": return .bool(true)
      case "false": return .bool(false)
      default: throw expected("\"true\" or \"false\"", name)
      }
    case .int32, .sint32, .sfixed32: return .int32(try integer(name))
    case .int64, .sint64, .sfixed64: return .int64(try integer(name))
    case .uint32, .fixed32: return .uint32(try integer(name))
    default: return .uint64(try integer(name))
    }
  }

  private func expected(_ what: String, _ value: JSONValue) -> JSONError {
    switch value.content {
    case .string(let text): error("expected \(what), not \"\(shortened(text))\"", at: value)
    case .number(let text): error("expected \(what), not \(shortened(text))", at: value)
    default: error("expected \(what), not \(value.kindName)", at: value)
    }
  }

  private func shortened(_ text: String) -> String {
    text.count > 40 ? text.prefix(40) + "…" : text
  }

  private func integer<Value: FixedWidthInteger>(
    _ value: JSONValue
  ) throws(JSONError) -> Value {
    switch value.content {
    case .number(let text), .string(let text):
      if let integer = JSONNumber.integer(text, as: Value.self) { return integer }
    default: break
    }
    throw expected("an integer within \(Value.min)...\(Value.max)", value)
  }

  private func float(_ value: JSONValue) throws(JSONError) -> Float {
    let (text, named) = try floatingPoint(value)
    if let named { return Float(named) }
    guard let number = Float(text), number.isFinite else {
      throw expected("a number within a float's range", value)
    }
    return number
  }

  private func double(_ value: JSONValue) throws(JSONError) -> Double {
    let (text, named) = try floatingPoint(value)
    if let named { return named }
    guard let number = Double(text), number.isFinite else {
      throw expected("a number within a double's range", value)
    }
    return number
  }

  /// The text of a number, or what a word stands for.
  private func floatingPoint(
    _ value: JSONValue
  ) throws(JSONError) -> (text: String, named: Double?) {
    switch value.content {
    case .number(let text): return (text, nil)
    case .string("NaN"): return ("", .nan)
    case .string("Infinity"): return ("", .infinity)
    case .string("-Infinity"): return ("", -.infinity)
    case .string(let text) where JSONNumber.isNumber(text): return (text, nil)
    default: throw expected("a number, \"NaN\", \"Infinity\" or \"-Infinity\"", value)
    }
  }

  private func enumeration(
    _ value: JSONValue, _ field: MessageField
  ) throws(JSONError) -> Int32? {
    guard let type = field.enumType else { return nil }
    switch value.content {
    case .string(let name):
      if let number = type.number(of: name) { return number }
      if options.ignoresUnknownFields { return nil }
      let names = type.definition.proto.values.prefix(12).map(\.name).joined(separator: ", ")
      throw error(
        "\(type.fullName) has no value \"\(shortened(name))\"; it has \(names)", at: value)
    case .null: return 0
    case .number:
      let number: Int32 = try integer(value)
      if type.isClosed, type.name(of: number) == nil {
        if options.ignoresUnknownFields { return nil }
        throw error("\(type.fullName) has no value \(number)", at: value)
      }
      return number
    default:
      throw expected("a value of \(type.fullName), by name or number", value)
    }
  }
}
