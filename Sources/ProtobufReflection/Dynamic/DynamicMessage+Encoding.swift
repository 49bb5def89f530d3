import ProtobufWire

extension DynamicMessage {
  /// The message on the wire: its fields by number, entries of maps by key, unknown fields last, so
  /// that equal messages have equal bytes.
  public func serialized() -> [UInt8] {
    var output = WireOutput()
    encode(into: &output)
    return output.bytes
  }

  private func encode(into output: inout WireOutput) {
    for (number, content) in fields.sorted(by: { $0.key < $1.key }) {
      guard let field = type.field(number) else { continue }
      switch content {
      case .single(let value): Self.append(value, of: field, to: &output)
      case .list(let values): Self.append(values, of: field, to: &output)
      case .map(let entries): Self.append(entries, of: field, to: &output)
      }
    }
    output.bytes += unknownFields.bytes
  }

  private static func append(
    _ values: [DynamicValue], of field: MessageField, to output: inout WireOutput
  ) {
    guard field.definition.isPacked else {
      for value in values { append(value, of: field, to: &output) }
      return
    }
    var packed = WireOutput()
    for value in values { appendBody(value, field.kind, to: &packed) }
    output.appendTag(field.number, .lengthDelimited)
    output.appendDelimited(packed.bytes)
  }

  private static func append(
    _ entries: [DynamicValue: DynamicValue], of field: MessageField, to output: inout WireOutput
  ) {
    guard let (keyField, valueField) = field.map else { return }
    for (key, value) in entries.sorted(by: { $0.key.isKey(before: $1.key) }) {
      var entry = WireOutput()
      append(key, of: keyField, to: &entry)
      append(value, of: valueField, to: &entry)
      output.appendTag(field.number, .lengthDelimited)
      output.appendDelimited(entry.bytes)
    }
  }

  private static func append(
    _ value: DynamicValue, of field: MessageField, to output: inout WireOutput
  ) {
    output.appendTag(field.number, field.kind.wireType)
    appendBody(value, field.kind, to: &output)
  }

  private static func appendBody(
    _ value: DynamicValue, _ kind: FieldKind, to output: inout WireOutput
  ) {
    switch value {
    case .bool(let value): output.append(value, as: BoolCoding.self)
    case .int32(let value): appendInt32(value, kind, to: &output)
    case .int64(let value): appendInt64(value, kind, to: &output)
    case .uint32(let value):
      if kind == .fixed32 {
        output.append(value, as: Fixed32Coding.self)
      } else {
        output.append(value, as: UInt32Coding.self)
      }
    case .uint64(let value):
      if kind == .fixed64 {
        output.append(value, as: Fixed64Coding.self)
      } else {
        output.append(value, as: UInt64Coding.self)
      }
    case .float(let value): output.append(value, as: FloatCoding.self)
    case .double(let value): output.append(value, as: DoubleCoding.self)
    case .string(let value): output.append(value, as: StringCoding.self)
    case .bytes(let value): output.appendDelimited(value)
    case .enumeration(let value): output.append(value, as: Int32Coding.self)
    case .message(let value): output.appendDelimited(value.serialized())
    }
  }

  private static func appendInt32(
    _ value: Int32, _ kind: FieldKind, to output: inout WireOutput
  ) {
    switch kind {
    case .sint32: output.append(value, as: SInt32Coding.self)
    case .sfixed32: output.append(value, as: SFixed32Coding.self)
    default: output.append(value, as: Int32Coding.self)
    }
  }

  private static func appendInt64(
    _ value: Int64, _ kind: FieldKind, to output: inout WireOutput
  ) {
    switch kind {
    case .sint64: output.append(value, as: SInt64Coding.self)
    case .sfixed64: output.append(value, as: SFixed64Coding.self)
    default: output.append(value, as: Int64Coding.self)
    }
  }
}

extension DynamicValue {
  /// The order of a map's keys in what is written.
  func isKey(before other: DynamicValue) -> Bool {
    switch (self, other) {
    case (.bool(let left), .bool(let right)): !left && right
    case (.int32(let left), .int32(let right)): left < right
    case (.int64(let left), .int64(let right)): left < right
    case (.uint32(let left), .uint32(let right)): left < right
    case (.uint64(let left), .uint64(let right)): left < right
    case (.string(let left), .string(let right)):
      left.utf8.lexicographicallyPrecedes(right.utf8)
    default: false
    }
  }
}
