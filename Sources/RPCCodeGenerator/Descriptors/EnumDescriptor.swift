import ProtobufWire

/// `google.protobuf.EnumDescriptorProto`.
struct EnumDescriptor: DescriptorPart {
  var name = ""
  var values: [EnumValueDescriptor] = []

  mutating func read(_ tag: UInt32, from reader: inout WireReader) throws(WireError) -> Bool {
    switch tag {
    case 1 << 3 | 2: name = try reader.readString()
    case 2 << 3 | 2: try reader.readPart(appendingTo: &values)
    default: return false
    }
    return true
  }
}

/// `google.protobuf.EnumValueDescriptorProto`.
struct EnumValueDescriptor: DescriptorPart {
  var name = ""
  var number: Int32 = 0

  mutating func read(_ tag: UInt32, from reader: inout WireReader) throws(WireError) -> Bool {
    switch tag {
    case 1 << 3 | 2: name = try reader.readString()
    case 2 << 3 | 0: number = try reader.readInt32()
    default: return false
    }
    return true
  }
}
