/// The types of `google.protobuf` that have a form of their own in JSON.
enum WellKnownType: String {
  case any = "google.protobuf.Any"
  case timestamp = "google.protobuf.Timestamp"
  case duration = "google.protobuf.Duration"
  case fieldMask = "google.protobuf.FieldMask"
  case structure = "google.protobuf.Struct"
  case value = "google.protobuf.Value"
  case listValue = "google.protobuf.ListValue"
  case doubleWrapper = "google.protobuf.DoubleValue"
  case floatWrapper = "google.protobuf.FloatValue"
  case int64Wrapper = "google.protobuf.Int64Value"
  case uint64Wrapper = "google.protobuf.UInt64Value"
  case int32Wrapper = "google.protobuf.Int32Value"
  case uint32Wrapper = "google.protobuf.UInt32Value"
  case boolWrapper = "google.protobuf.BoolValue"
  case stringWrapper = "google.protobuf.StringValue"
  case bytesWrapper = "google.protobuf.BytesValue"

  /// A message whose only field, `value`, stands for it.
  var isWrapper: Bool {
    switch self {
    case .any, .timestamp, .duration, .fieldMask, .structure, .value, .listValue: false
    default: true
    }
  }
}

extension MessageType {
  /// The type's own form in JSON; nil: it has the ordinary one.
  ///
  /// A type of that name whose fields aren't those of the well-known type has the ordinary form:
  /// the descriptors may come from anybody.
  var wellKnown: WellKnownType? {
    guard let known = WellKnownType(rawValue: fullName), hasFields(of: known) else { return nil }
    return known
  }

  private func hasFields(of known: WellKnownType) -> Bool {
    switch known {
    case .any: has(1, .string) && has(2, .bytes)
    case .timestamp, .duration: has(1, .int64) && has(2, .int32)
    case .fieldMask: has(1, .string, repeated: true)
    case .structure: field(1)?.map.map { $0.key.kind == .string && isValue($0.value) } ?? false
    case .listValue: has(1, .message, repeated: true) && isValue(field(1))
    case .value:
      has(1, .enumeration) && has(2, .double) && has(3, .string) && has(4, .bool)
        && field(5)?.definition.typeName == WellKnownType.structure.rawValue
        && field(6)?.definition.typeName == WellKnownType.listValue.rawValue
        && has(5, .message) && has(6, .message)
    default: field(1).map { !$0.isRepeated && $0.kind != .message && $0.kind != .group } ?? false
    }
  }

  private func has(_ number: UInt32, _ kind: FieldKind, repeated: Bool = false) -> Bool {
    field(number).map { $0.kind == kind && $0.isRepeated == repeated } ?? false
  }

  private func isValue(_ field: MessageField?) -> Bool {
    field?.definition.typeName == WellKnownType.value.rawValue
  }
}

extension MessageField {
  /// JSON's `null` is a value of this field, not its absence.
  var takesNull: Bool {
    definition.typeName == WellKnownType.value.rawValue
      || definition.typeName == "google.protobuf.NullValue"
  }
}
