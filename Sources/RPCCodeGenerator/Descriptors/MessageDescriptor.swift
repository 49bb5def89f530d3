import ProtobufWire

/// `google.protobuf.DescriptorProto`: a message type.
struct MessageDescriptor: DescriptorPart {
  var name = ""
  var fields: [FieldDescriptor] = []
  var messages: [MessageDescriptor] = []
  var enums: [EnumDescriptor] = []
  var oneofs: [OneofDescriptor] = []
  var options = MessageOptions()

  mutating func read(_ tag: UInt32, from reader: inout WireReader) throws(WireError) -> Bool {
    switch tag {
    case 1 << 3 | 2: name = try reader.readString()
    case 2 << 3 | 2: try reader.readPart(appendingTo: &fields)
    case 3 << 3 | 2: try reader.readPart(appendingTo: &messages)
    case 4 << 3 | 2: try reader.readPart(appendingTo: &enums)
    case 7 << 3 | 2: try reader.readPart(into: &options)
    case 8 << 3 | 2: try reader.readPart(appendingTo: &oneofs)
    default: return false
    }
    return true
  }
}

/// `google.protobuf.MessageOptions`.
struct MessageOptions: DescriptorPart {
  /// The message is what protoc made of `map<K, V>`.
  var isMapEntry = false

  mutating func read(_ tag: UInt32, from reader: inout WireReader) throws(WireError) -> Bool {
    guard tag == 7 << 3 | 0 else { return false }
    isMapEntry = try reader.readBool()
    return true
  }
}

/// `google.protobuf.OneofDescriptorProto`.
struct OneofDescriptor: DescriptorPart {
  var name = ""

  mutating func read(_ tag: UInt32, from reader: inout WireReader) throws(WireError) -> Bool {
    guard tag == 1 << 3 | 2 else { return false }
    name = try reader.readString()
    return true
  }
}

/// `google.protobuf.FieldDescriptorProto`.
struct FieldDescriptor: DescriptorPart {
  /// `google.protobuf.FieldDescriptorProto.Type`.
  enum Kind: Int32 {
    case double = 1
    case float, int64, uint64, int32, fixed64, fixed32, bool, string, group, message, bytes
    case uint32, `enum`, sfixed32, sfixed64, sint32, sint64
  }

  var name = ""
  var number: Int32 = 0
  var isRepeated = false
  var kind: Kind?
  /// Of a message or enumeration: its full name behind a dot.
  var typeName = ""
  var oneofIndex: Int?
  var isProto3Optional = false
  var options = FieldOptions()

  mutating func read(_ tag: UInt32, from reader: inout WireReader) throws(WireError) -> Bool {
    switch tag {
    case 1 << 3 | 2: name = try reader.readString()
    case 3 << 3 | 0: number = try reader.readInt32()
    case 4 << 3 | 0: isRepeated = try reader.readInt32() == 3
    case 5 << 3 | 0: kind = Kind(rawValue: try reader.readInt32())
    case 6 << 3 | 2: typeName = try reader.readString()
    case 8 << 3 | 2: try reader.readPart(into: &options)
    case 9 << 3 | 0: oneofIndex = Int(try reader.readInt32())
    case 17 << 3 | 0: isProto3Optional = try reader.readBool()
    default: return false
    }
    return true
  }
}

/// `google.protobuf.FieldOptions`.
struct FieldOptions: DescriptorPart {
  /// nil where the file doesn't say; proto3 then packs what it can.
  var packed: Bool?
  var isDeprecated = false

  mutating func read(_ tag: UInt32, from reader: inout WireReader) throws(WireError) -> Bool {
    switch tag {
    case 2 << 3 | 0: packed = try reader.readBool()
    case 3 << 3 | 0: isDeprecated = try reader.readBool()
    default: return false
    }
    return true
  }
}
