extension MessageJSONWriter {
  /// Writes one value.
  mutating func write(_ value: DynamicValue, _ field: MessageField) throws(JSONError) {
    switch value {
    case .bool(let value): output.raw(value ? "true" : "false")
    case .int32(let value): output.raw("\(value)")
    case .uint32(let value): output.raw("\(value)")
    // Strings: a JSON number is a double to many readers, which loses digits.
    case .int64(let value): output.string("\(value)")
    case .uint64(let value): output.string("\(value)")
    case .float(let value): writeNumber(value)
    case .double(let value): writeNumber(value)
    case .string(let value): output.string(value)
    case .bytes(let value): output.string(Base64.encode(value))
    case .enumeration(let number): writeEnumeration(number, field)
    case .message(let message): try write(message)
    }
  }

  private mutating func writeEnumeration(_ number: Int32, _ field: MessageField) {
    if field.definition.typeName == "google.protobuf.NullValue" {
      output.raw("null")
    } else if !options.writesEnumNumbers, let name = field.enumType?.name(of: number) {
      output.string(name)
    } else {
      output.raw("\(number)")
    }
  }

  private mutating func writeNumber<Value: BinaryFloatingPoint & CustomStringConvertible>(
    _ value: Value
  ) {
    if value.isNaN {
      output.string("NaN")
    } else if value.isInfinite {
      output.string(value < 0 ? "-Infinity" : "Infinity")
    } else {
      // The shortest text that reads as the same number.
      let text = value.description
      output.raw(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }
  }

  /// Writes a message of a type that has a form of its own.
  mutating func write(_ message: DynamicMessage, _ known: WellKnownType) throws(JSONError) {
    switch known {
    case .any: try writeAny(message)
    case .timestamp:
      let (seconds, nanoseconds) = parts(message)
      guard let text = RFC3339.time(seconds: seconds, nanoseconds: nanoseconds) else {
        throw error("\(seconds) s and \(nanoseconds) ns are no time of the years 1 to 9999")
      }
      output.string(text)
    case .duration:
      let (seconds, nanoseconds) = parts(message)
      guard let text = RFC3339.span(seconds: seconds, nanoseconds: nanoseconds) else {
        throw error("\(seconds) s and \(nanoseconds) ns are no span of at most 315576000000 s")
      }
      output.string(text)
    case .fieldMask: try writeFieldMask(message)
    case .structure:
      guard let field = message.type.field(1)?.map?.value else { return output.raw("{}") }
      guard case .map(let entries)? = message[1] else { return output.raw("{}") }
      try write(entries, field)
    case .listValue:
      guard let field = message.type.field(1) else { return output.raw("[]") }
      guard case .list(let values)? = message[1] else { return output.raw("[]") }
      try write(values, field)
    case .value: try writeValue(message)
    default:
      guard let field = message.type.field(1) else { return output.raw("null") }
      try write(message.single(1) ?? field.defaultValue, field)
    }
  }

  private func parts(_ message: DynamicMessage) -> (seconds: Int64, nanoseconds: Int32) {
    var parts: (seconds: Int64, nanoseconds: Int32) = (0, 0)
    if case .int64(let value)? = message.single(1) { parts.seconds = value }
    if case .int32(let value)? = message.single(2) { parts.nanoseconds = value }
    return parts
  }

  private mutating func writeFieldMask(_ message: DynamicMessage) throws(JSONError) {
    var paths: [String] = []
    if case .list(let values)? = message[1] {
      for case .string(let path) in values {
        let name = JSONName.lowerCamel(path)
        guard JSONName.snake(name) == path else {
          throw error("the path \"\(path)\" can't be told from others in JSON")
        }
        paths.append(name)
      }
    }
    output.string(paths.joined(separator: ","))
  }

  private mutating func writeValue(_ message: DynamicMessage) throws(JSONError) {
    for number in UInt32(2)...6 {
      guard let field = message.type.field(number), let value = message.single(number) else {
        continue
      }
      if case .double(let double) = value, !double.isFinite {
        throw error("\(double) is no number in JSON")
      }
      return try write(value, field)
    }
    output.raw("null")
  }

  private mutating func writeAny(_ message: DynamicMessage) throws(JSONError) {
    guard case .string(let url)? = message.single(1) else { return output.raw("{}") }
    var bytes: [UInt8] = []
    if case .bytes(let value)? = message.single(2) { bytes = value }
    let name = url.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init)
    let content = try content(of: url, name ?? "", bytes, message.type.pool)
    output.begin("{")
    output.name("@type")
    output.string(url)
    if let content {
      if content.type.wellKnown != nil {
        output.name("value")
        try write(content)
      } else {
        try writeMembers(of: content)
      }
    } else {
      output.name("@value")
      output.string(Base64.encode(bytes))
    }
    output.end("}")
  }

  /// - Returns: nil when the bytes are to be shown as they are.
  private func content(
    of url: String, _ name: String, _ bytes: [UInt8], _ pool: DescriptorPool
  ) throws(JSONError) -> DynamicMessage? {
    guard let type = pool.message(named: name) else {
      if options.showsUnknownAny { return nil }
      throw error("the type \"\(url)\" of an Any isn't known")
    }
    do {
      return try DynamicMessage(serialized: bytes, as: type)
    } catch {
      if options.showsUnknownAny { return nil }
      throw self.error("the value of an Any is no \(name): \(error)")
    }
  }
}
