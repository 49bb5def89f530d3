public import ProtobufWire

/// The type of a field in the schema; `google.protobuf.FieldDescriptorProto.Type`.
public enum FieldKind: Int32, Sendable, Hashable {
  /// Scalars, by their names in a `.proto` file.
  case double = 1
  /// Further scalars.
  case float, int64, uint64, int32, fixed64, fixed32, bool, string
  /// Of proto2 only. Fields of this kind are kept with the unknown fields.
  case group
  /// A message, and further scalars.
  case message, bytes, uint32
  /// An enumeration.
  case enumeration
  /// Further scalars.
  case sfixed32, sfixed64, sint32, sint64

  /// As it is written in a `.proto` file; empty for messages and enumerations, which have names.
  public var name: String {
    switch self {
    case .double: "double"
    case .float: "float"
    case .int64: "int64"
    case .uint64: "uint64"
    case .int32: "int32"
    case .fixed64: "fixed64"
    case .fixed32: "fixed32"
    case .bool: "bool"
    case .string: "string"
    case .bytes: "bytes"
    case .uint32: "uint32"
    case .sfixed32: "sfixed32"
    case .sfixed64: "sfixed64"
    case .sint32: "sint32"
    case .sint64: "sint64"
    case .group: "group"
    case .message, .enumeration: ""
    }
  }

  /// How one value is laid out.
  public var wireType: WireType {
    switch self {
    case .double, .fixed64, .sfixed64: .fixed64
    case .float, .fixed32, .sfixed32: .fixed32
    case .string, .bytes, .message: .lengthDelimited
    case .group: .startGroup
    case .int64, .uint64, .int32, .bool, .uint32, .enumeration, .sint32, .sint64: .varint
    }
  }

  /// Whether a repeated field of this may be packed.
  public var isPackable: Bool {
    switch wireType {
    case .varint, .fixed32, .fixed64: true
    case .lengthDelimited, .startGroup, .endGroup: false
    }
  }
}
