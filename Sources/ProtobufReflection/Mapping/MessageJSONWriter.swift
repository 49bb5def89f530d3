extension DynamicMessage {
  /// The message as JSON: fields by number, entries of maps by key.
  ///
  /// Source of the mapping: https://protobuf.dev/programming-guides/json/
  ///
  /// - Throws: `JSONError` for what has no JSON form: a time out of range, an `Any` of a type that
  ///   the pool doesn't have, an infinite number in a `google.protobuf.Value`.
  public func json(
    options: JSONWritingOptions = JSONWritingOptions()
  ) throws(JSONError) -> String {
    var writer = MessageJSONWriter(options: options)
    try writer.write(self)
    return writer.output.text
  }
}

/// Writes messages as JSON.
struct MessageJSONWriter {
  let options: JSONWritingOptions
  var output: JSONWriter
  private var path: [String] = []
  private var depth = 0

  /// As deep as messages may be on the wire; an `Any` begins anew there, and must not here.
  private static let maximumDepth = 100

  init(options: JSONWritingOptions) {
    self.options = options
    output = JSONWriter(isIndented: options.isIndented)
  }

  func error(_ reason: String) -> JSONError {
    JSONError(path: path.joined(), reason: reason)
  }

  /// Writes a message in the form that its type has.
  mutating func write(_ message: DynamicMessage) throws(JSONError) {
    guard depth <= Self.maximumDepth else {
      throw error("messages are nested deeper than the limit of \(Self.maximumDepth)")
    }
    depth += 1
    defer { depth -= 1 }
    if let known = message.type.wellKnown { return try write(message, known) }
    output.begin("{")
    try writeMembers(of: message)
    output.end("}")
  }

  /// Writes the fields as members of the object that is open.
  mutating func writeMembers(of message: DynamicMessage) throws(JSONError) {
    let fields = message.type.definition.fields.sorted { $0.number < $1.number }
    for definition in fields where definition.kind != .group {
      let field = MessageField(definition: definition, pool: message.type.pool)
      guard let content = message[field.number] ?? defaultContent(of: field) else { continue }
      let name = options.usesSchemaNames ? field.name : field.jsonName
      path.append(path.isEmpty ? name : "." + name)
      output.name(name)
      try write(content, field)
      path.removeLast()
    }
  }

  /// What is written for a field that isn't set; nil: nothing.
  private func defaultContent(of field: MessageField) -> DynamicField? {
    guard options.includesDefaults, !field.hasPresence else { return nil }
    if field.map != nil { return .map([:]) }
    return field.isRepeated ? .list([]) : .single(field.defaultValue)
  }

  private mutating func write(
    _ content: DynamicField, _ field: MessageField
  ) throws(JSONError) {
    switch content {
    case .single(let value): try write(value, field)
    case .list(let values): try write(values, field)
    case .map(let entries):
      guard let valueField = field.map?.value else { return output.raw("{}") }
      try write(entries, valueField)
    }
  }

  /// Writes an array.
  mutating func write(_ values: [DynamicValue], _ field: MessageField) throws(JSONError) {
    output.begin("[")
    for (index, value) in values.enumerated() {
      output.element()
      path.append("[\(index)]")
      try write(value, field)
      path.removeLast()
    }
    output.end("]")
  }

  /// Writes an object.
  mutating func write(
    _ entries: [DynamicValue: DynamicValue], _ valueField: MessageField
  ) throws(JSONError) {
    output.begin("{")
    for (key, value) in entries.sorted(by: { $0.key.isKey(before: $1.key) }) {
      let name = key.keyText
      output.name(name)
      path.append("[\"\(name)\"]")
      try write(value, valueField)
      path.removeLast()
    }
    output.end("}")
  }
}

extension DynamicValue {
  /// A map's key as a name.
  fileprivate var keyText: String {
    switch self {
    case .bool(let value): "\(value)"
    case .int32(let value), .enumeration(let value): "\(value)"
    case .int64(let value): "\(value)"
    case .uint32(let value): "\(value)"
    case .uint64(let value): "\(value)"
    case .string(let value): value
    case .float, .double, .bytes, .message: ""
    }
  }
}
