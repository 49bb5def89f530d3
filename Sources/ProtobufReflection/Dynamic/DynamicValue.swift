/// One value of a field.
public enum DynamicValue: Hashable, Sendable {
  /// `bool`.
  case bool(Bool)
  /// `int32`, `sint32` and `sfixed32`.
  case int32(Int32)
  /// `int64`, `sint64` and `sfixed64`.
  case int64(Int64)
  /// `uint32` and `fixed32`.
  case uint32(UInt32)
  /// `uint64` and `fixed64`.
  case uint64(UInt64)
  /// `float`.
  case float(Float)
  /// `double`.
  case double(Double)
  /// `string`.
  case string(String)
  /// `bytes`.
  case bytes([UInt8])
  /// The number of an enumeration's value.
  case enumeration(Int32)
  /// A message.
  case message(DynamicMessage)
}

/// What a field of a message holds.
public enum DynamicField: Hashable, Sendable {
  /// The value of a field that isn't repeated.
  case single(DynamicValue)
  /// The elements of a repeated field, in order.
  case list([DynamicValue])
  /// The entries of a map.
  case map([DynamicValue: DynamicValue])
}

extension DynamicValue {
  /// Whether a field without presence that has this value is left out. Minus zero isn't zero.
  var isDefault: Bool {
    switch self {
    case .bool(let value): !value
    case .int32(let value), .enumeration(let value): value == 0
    case .int64(let value): value == 0
    case .uint32(let value): value == 0
    case .uint64(let value): value == 0
    case .float(let value): value.bitPattern == 0
    case .double(let value): value.bitPattern == 0
    case .string(let value): value.isEmpty
    case .bytes(let value): value.isEmpty
    case .message: false
    }
  }
}

extension MessageField {
  /// The value of one element that was never sent: what an entry of a map without a value has.
  var defaultValue: DynamicValue {
    switch kind {
    case .bool: .bool(false)
    case .int32, .sint32, .sfixed32: .int32(0)
    case .int64, .sint64, .sfixed64: .int64(0)
    case .uint32, .fixed32: .uint32(0)
    case .uint64, .fixed64: .uint64(0)
    case .float: .float(0)
    case .double: .double(0)
    case .string: .string("")
    case .bytes, .group: .bytes([])
    case .enumeration: .enumeration(enumType?.defaultNumber ?? 0)
    case .message: messageType.map { .message(DynamicMessage($0)) } ?? .bytes([])
    }
  }
}
