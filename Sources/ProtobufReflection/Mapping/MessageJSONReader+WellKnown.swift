extension MessageJSONReader {
  /// Reads a message of a type that has a form of its own.
  mutating func wellKnown(
    _ value: JSONValue, _ known: WellKnownType, _ type: MessageType
  ) throws(JSONError) -> DynamicMessage {
    switch known {
    case .any: return try any(value, type)
    case .timestamp:
      guard case .string(let text) = value.content, let time = RFC3339.time(text) else {
        throw error(
          "expected a time such as \"2024-02-29T12:30:00.500Z\", of the years 1 to 9999",
          at: value)
      }
      return parts(type, time)
    case .duration:
      guard case .string(let text) = value.content, let span = RFC3339.span(text) else {
        throw error("expected seconds such as \"1.500s\", at most 315576000000", at: value)
      }
      return parts(type, span)
    case .fieldMask: return try fieldMask(value, type)
    case .structure: return try structure(value, type)
    case .listValue: return try listValue(value, type)
    case .value: return try dynamicValue(value, type)
    default:
      var message = DynamicMessage(type)
      if let field = type.field(1) {
        message[1] = try element(value, field).map { .single($0) }
      }
      return message
    }
  }

  private func parts(
    _ type: MessageType, _ parts: (seconds: Int64, nanoseconds: Int32)
  ) -> DynamicMessage {
    var message = DynamicMessage(type)
    message[1] = .single(.int64(parts.seconds))
    message[2] = .single(.int32(parts.nanoseconds))
    return message
  }

  private func fieldMask(
    _ value: JSONValue, _ type: MessageType
  ) throws(JSONError) -> DynamicMessage {
    guard case .string(let text) = value.content else {
      throw error("expected names with commas between, as in \"userId,price.code\"", at: value)
    }
    var message = DynamicMessage(type)
    guard !text.isEmpty else { return message }
    guard !text.contains("_") else {
      throw error("names in a field mask have capitals, not underscores", at: value)
    }
    let paths = text.split(separator: ",", omittingEmptySubsequences: false)
    message[1] = .list(paths.map { .string(JSONName.snake($0)) })
    return message
  }

  private mutating func any(
    _ value: JSONValue, _ type: MessageType
  ) throws(JSONError) -> DynamicMessage {
    guard case .object(let members) = value.content else {
      throw error("expected an object with \"@type\", not \(value.kindName)", at: value)
    }
    var message = DynamicMessage(type)
    guard !members.isEmpty else { return message }
    guard let member = members.first(where: { $0.name == "@type" }),
      case .string(let url) = member.value.content
    else { throw error("\"@type\" is missing: it names the type, behind a slash", at: value) }
    let name = url.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init)
    guard url.contains("/"), let name, let inner = type.pool.message(named: name) else {
      throw error("\"@type\": the type \"\(url)\" isn't known", at: member.value)
    }
    let rest = members.filter { $0.name != "@type" }
    let content: DynamicMessage
    if inner.wellKnown != nil {
      guard rest.count == 1, let member = rest.first, member.name == "value" else {
        throw error("\(name) in an Any has one member, \"value\"", at: value)
      }
      content = try atName("value") { reader throws(JSONError) in
        try reader.message(member.value, as: inner)
      }
    } else {
      content = try self.message(rest, as: inner)
    }
    message[1] = .single(.string(url))
    message[2] = .single(.bytes(content.serialized()))
    return message
  }

  private mutating func structure(
    _ value: JSONValue, _ type: MessageType
  ) throws(JSONError) -> DynamicMessage {
    guard case .object(let members) = value.content,
      let inner = type.field(1)?.map?.value.messageType
    else { throw error("expected an object, not \(value.kindName)", at: value) }
    var entries: [DynamicValue: DynamicValue] = [:]
    for member in members {
      entries[.string(member.name)] = .message(
        try at("[\"\(member.name)\"]") { reader throws(JSONError) in
          try reader.message(member.value, as: inner)
        })
    }
    var message = DynamicMessage(type)
    message[1] = .map(entries)
    return message
  }

  private mutating func listValue(
    _ value: JSONValue, _ type: MessageType
  ) throws(JSONError) -> DynamicMessage {
    guard case .array(let elements) = value.content, let inner = type.field(1)?.messageType else {
      throw error("expected an array, not \(value.kindName)", at: value)
    }
    var values: [DynamicValue] = []
    for (index, element) in elements.enumerated() {
      values.append(
        .message(
          try at("[\(index)]") { reader throws(JSONError) in
            try reader.message(element, as: inner)
          }))
    }
    var message = DynamicMessage(type)
    message[1] = .list(values)
    return message
  }

  private mutating func dynamicValue(
    _ value: JSONValue, _ type: MessageType
  ) throws(JSONError) -> DynamicMessage {
    var message = DynamicMessage(type)
    switch value.content {
    case .null: message[1] = .single(.enumeration(0))
    case .number(let text):
      guard let number = Double(text), number.isFinite else {
        throw error("\(text) is beyond a double's range", at: value)
      }
      message[2] = .single(.double(number))
    case .string(let text): message[3] = .single(.string(text))
    case .bool(let bool): message[4] = .single(.bool(bool))
    case .object:
      guard let inner = type.field(5)?.messageType else { break }
      message[5] = .single(.message(try structure(value, inner)))
    case .array:
      guard let inner = type.field(6)?.messageType else { break }
      message[6] = .single(.message(try listValue(value, inner)))
    }
    return message
  }
}
