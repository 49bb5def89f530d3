import ProtobufWire

/// `google.protobuf.FileDescriptorSet`: what `protoc --descriptor_set_out` writes.
struct FileSetProto: DescriptorPart {
  /// Serialized, since pools keep files as they came.
  var files: [[UInt8]] = []

  mutating func read(_ tag: UInt32, from reader: inout WireReader) throws(WireError) -> Bool {
    guard tag == 1 << 3 | 2 else { return false }
    files.append(try reader.readBytes())
    return true
  }
}

/// `google.protobuf.FileDescriptorProto`: a parsed `.proto` file.
struct FileProto: DescriptorPart {
  var name = ""
  var package = ""
  var syntax = ""
  var imports: [String] = []
  var messages: [MessageProto] = []
  var enums: [EnumProto] = []
  var services: [ServiceProto] = []
  var extensions: [FieldProto] = []
  var comments = SourceComments()

  mutating func read(_ tag: UInt32, from reader: inout WireReader) throws(WireError) -> Bool {
    switch tag {
    case 1 << 3 | 2: name = try reader.readString()
    case 2 << 3 | 2: package = try reader.readString()
    case 3 << 3 | 2: imports.append(try reader.readString())
    case 4 << 3 | 2: try reader.readPart(appendingTo: &messages)
    case 5 << 3 | 2: try reader.readPart(appendingTo: &enums)
    case 6 << 3 | 2: try reader.readPart(appendingTo: &services)
    case 7 << 3 | 2: try reader.readPart(appendingTo: &extensions)
    case 9 << 3 | 2: try reader.readPart(into: &comments)
    case 12 << 3 | 2: syntax = try reader.readString()
    default: return false
    }
    return true
  }
}
