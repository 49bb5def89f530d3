import ProtobufWire

/// `google.protobuf.DescriptorProto`: a message type.
struct MessageProto: DescriptorPart {
  var name = ""
  var fields: [FieldProto] = []
  var messages: [MessageProto] = []
  var enums: [EnumProto] = []
  var extensions: [FieldProto] = []
  var oneofs: [OneofProto] = []
  var reservedRanges: [ReservedRangeProto] = []
  var reservedNames: [String] = []
  var options: [UInt8] = []

  mutating func read(_ tag: UInt32, from reader: inout WireReader) throws(WireError) -> Bool {
    switch tag {
    case 1 << 3 | 2: name = try reader.readString()
    case 2 << 3 | 2: try reader.readPart(appendingTo: &fields)
    case 3 << 3 | 2: try reader.readPart(appendingTo: &messages)
    case 4 << 3 | 2: try reader.readPart(appendingTo: &enums)
    case 6 << 3 | 2: try reader.readPart(appendingTo: &extensions)
    case 7 << 3 | 2: options += try reader.readBytes()
    case 8 << 3 | 2: try reader.readPart(appendingTo: &oneofs)
    case 9 << 3 | 2: try reader.readPart(appendingTo: &reservedRanges)
    case 10 << 3 | 2: reservedNames.append(try reader.readString())
    default: return false
    }
    return true
  }
}

/// `google.protobuf.OneofDescriptorProto`.
struct OneofProto: DescriptorPart {
  var name = ""

  mutating func read(_ tag: UInt32, from reader: inout WireReader) throws(WireError) -> Bool {
    guard tag == 1 << 3 | 2 else { return false }
    name = try reader.readString()
    return true
  }
}

/// `google.protobuf.DescriptorProto.ReservedRange`.
struct ReservedRangeProto: DescriptorPart {
  var start: Int32 = 0
  /// Of a message: the number behind the last one. Of an enumeration: the last one.
  var end: Int32 = 0

  mutating func read(_ tag: UInt32, from reader: inout WireReader) throws(WireError) -> Bool {
    switch tag {
    case 1 << 3 | 0: start = try reader.readInt32()
    case 2 << 3 | 0: end = try reader.readInt32()
    default: return false
    }
    return true
  }
}

/// `google.protobuf.FieldDescriptorProto`.
struct FieldProto: DescriptorPart {
  var name = ""
  /// Of an extension: the full name behind a dot of the message that it extends.
  var extendee = ""
  var number: Int32 = 0
  /// 1 optional, 2 required, 3 repeated.
  var label: Int32 = 0
  var kind: Int32 = 0
  /// Of a message or enumeration: its full name behind a dot.
  var typeName = ""
  var defaultValue: String?
  var options: [UInt8] = []
  var oneofIndex: Int32?
  var jsonName: String?
  var isProto3Optional = false

  mutating func read(_ tag: UInt32, from reader: inout WireReader) throws(WireError) -> Bool {
    switch tag {
    case 1 << 3 | 2: name = try reader.readString()
    case 2 << 3 | 2: extendee = try reader.readString()
    case 3 << 3 | 0: number = try reader.readInt32()
    case 4 << 3 | 0: label = try reader.readInt32()
    case 5 << 3 | 0: kind = try reader.readInt32()
    case 6 << 3 | 2: typeName = try reader.readString()
    case 7 << 3 | 2: defaultValue = try reader.readString()
    case 8 << 3 | 2: options += try reader.readBytes()
    case 9 << 3 | 0: oneofIndex = try reader.readInt32()
    case 10 << 3 | 2: jsonName = try reader.readString()
    case 17 << 3 | 0: isProto3Optional = try reader.readBool()
    default: return false
    }
    return true
  }
}
