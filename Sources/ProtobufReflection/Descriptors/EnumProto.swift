import ProtobufWire

/// `google.protobuf.EnumDescriptorProto`.
struct EnumProto: DescriptorPart {
  var name = ""
  var values: [EnumValueProto] = []
  var options: [UInt8] = []
  var reservedRanges: [ReservedRangeProto] = []
  var reservedNames: [String] = []

  mutating func read(_ tag: UInt32, from reader: inout WireReader) throws(WireError) -> Bool {
    switch tag {
    case 1 << 3 | 2: name = try reader.readString()
    case 2 << 3 | 2: try reader.readPart(appendingTo: &values)
    case 3 << 3 | 2: options += try reader.readBytes()
    case 4 << 3 | 2: try reader.readPart(appendingTo: &reservedRanges)
    case 5 << 3 | 2: reservedNames.append(try reader.readString())
    default: return false
    }
    return true
  }
}

/// `google.protobuf.EnumValueDescriptorProto`.
struct EnumValueProto: DescriptorPart {
  var name = ""
  var number: Int32 = 0
  var options: [UInt8] = []

  mutating func read(_ tag: UInt32, from reader: inout WireReader) throws(WireError) -> Bool {
    switch tag {
    case 1 << 3 | 2: name = try reader.readString()
    case 2 << 3 | 0: number = try reader.readInt32()
    case 3 << 3 | 2: options += try reader.readBytes()
    default: return false
    }
    return true
  }
}
