extension DynamicMessage {
  /// Reads a message from its JSON form.
  ///
  /// Source of the mapping: https://protobuf.dev/programming-guides/json/
  ///
  /// - Parameters:
  ///   - text: One JSON object, or what stands for the type if it is a well-known one.
  ///   - type: The message's type; its pool has to have the types of every `Any` in the text.
  ///   - options: What is tolerated.
  /// - Throws: `JSONError` with the line and column of the first mistake, and the field.
  public init(
    json text: [UInt8], as type: MessageType, options: JSONReadingOptions = JSONReadingOptions()
  ) throws(JSONError) {
    var parser = JSONParser(
      text, firstLine: options.firstLine, maximumDepth: options.maximumDepth)
    let value = try parser.parse()
    var reader = MessageJSONReader(text: text, options: options)
    self = try reader.message(value, as: type)
  }

  /// Reads a message from its JSON form.
  ///
  /// - Throws: `JSONError` with the line and column of the first mistake, and the field.
  public init(
    json text: String, as type: MessageType, options: JSONReadingOptions = JSONReadingOptions()
  ) throws(JSONError) {
    try self.init(json: Array(text.utf8), as: type, options: options)
  }
}

/// Turns a JSON tree into a message.
struct MessageJSONReader {
  let text: [UInt8]
  let options: JSONReadingOptions

  /// The names and indices that lead to the value that is read.
  var path: [String] = []

  /// Messages that are read now: an `Any` in an `Any` is deeper than its objects are.
  private var depth = 0

  init(text: [UInt8], options: JSONReadingOptions) {
    self.text = text
    self.options = options
  }

  func error(_ reason: String, at value: JSONValue) -> JSONError {
    error(reason, at: value.offset)
  }

  func error(_ reason: String, at offset: Int) -> JSONError {
    JSONError(
      path: path.joined(), at: offset, of: text, firstLine: options.firstLine, reason: reason)
  }

  /// Reads a value whose place is one step further.
  mutating func at<Result>(
    _ step: String, _ body: (inout MessageJSONReader) throws(JSONError) -> Result
  ) throws(JSONError) -> Result {
    path.append(step)
    let result = try body(&self)
    path.removeLast()
    return result
  }

  mutating func atName<Result>(
    _ name: String, _ body: (inout MessageJSONReader) throws(JSONError) -> Result
  ) throws(JSONError) -> Result {
    try at(path.isEmpty ? name : "." + name, body)
  }

  /// Reads a message in the form that its type has.
  mutating func message(
    _ value: JSONValue, as type: MessageType
  ) throws(JSONError) -> DynamicMessage {
    guard depth <= options.maximumDepth else {
      throw error(
        "messages are nested deeper than the limit of \(options.maximumDepth)", at: value)
    }
    depth += 1
    defer { depth -= 1 }
    if let known = type.wellKnown { return try wellKnown(value, known, type) }
    guard case .object(let members) = value.content else {
      throw error("expected an object for \(type.fullName), not \(value.kindName)", at: value)
    }
    return try message(members, as: type)
  }

  /// Reads the members of a message in its ordinary form.
  mutating func message(
    _ members: [JSONMember], as type: MessageType
  ) throws(JSONError) -> DynamicMessage {
    var message = DynamicMessage(type)
    var seen: Set<UInt32> = []
    for member in members {
      guard let field = type.field(named: member.name), field.kind != .group else {
        if options.ignoresUnknownFields { continue }
        throw error(
          "\(type.fullName) has no field \"\(member.name)\"" + suggestion(member.name, type),
          at: member.offset)
      }
      guard seen.insert(field.number).inserted else {
        throw error("the field \"\(field.name)\" is there twice", at: member.offset)
      }
      let content = try atName(member.name) { reader throws(JSONError) in
        try reader.field(member.value, field)
      }
      guard let content else { continue }
      for sibling in type.siblings(of: field) where message[sibling] != nil {
        throw error(
          "\"\(member.name)\" and \"\(type.field(sibling)?.jsonName ?? "")\" exclude each other",
          at: member.offset)
      }
      message[field.number] = content
    }
    return message
  }

  private func suggestion(_ name: String, _ type: MessageType) -> String {
    let names = type.fields.map(\.jsonName)
    if let near = names.first(where: { $0.lowercased() == name.lowercased() }) {
      return "; did you mean \"\(near)\"?"
    }
    guard !names.isEmpty else { return ": it has none" }
    let list = names.prefix(12).joined(separator: ", ")
    return "; it has \(list)" + (names.count > 12 ? ", …" : "")
  }

  /// - Returns: nil when the field stays unset.
  private mutating func field(
    _ value: JSONValue, _ field: MessageField
  ) throws(JSONError) -> DynamicField? {
    if case .null = value.content, field.isRepeated || !field.takesNull { return nil }
    if let (key, valueField) = field.map { return try map(value, key, valueField) }
    guard field.isRepeated else { return try element(value, field).map { .single($0) } }
    guard case .array(let elements) = value.content else {
      throw error("expected an array, not \(value.kindName)", at: value)
    }
    var values: [DynamicValue] = []
    for (index, element) in elements.enumerated() {
      let read = try at("[\(index)]") { reader throws(JSONError) in
        try reader.nonNull(element, field)
      }
      if let read { values.append(read) }
    }
    return .list(values)
  }

  private mutating func map(
    _ value: JSONValue, _ keyField: MessageField, _ valueField: MessageField
  ) throws(JSONError) -> DynamicField {
    guard case .object(let members) = value.content else {
      throw error("expected an object, not \(value.kindName)", at: value)
    }
    var entries: [DynamicValue: DynamicValue] = [:]
    for member in members {
      let entry = try at("[\"\(member.name)\"]") {
        reader throws(JSONError) -> (DynamicValue, DynamicValue?) in
        (try reader.key(member, keyField), try reader.nonNull(member.value, valueField))
      }
      guard let value = entry.1 else { continue }
      guard entries.updateValue(value, forKey: entry.0) == nil else {
        throw error("the key \"\(member.name)\" is there twice", at: member.offset)
      }
    }
    return .map(entries)
  }

  private mutating func nonNull(
    _ value: JSONValue, _ field: MessageField
  ) throws(JSONError) -> DynamicValue? {
    if case .null = value.content, !field.takesNull {
      throw error("null is no element of a list or map", at: value)
    }
    return try element(value, field)
  }
}
