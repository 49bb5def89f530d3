import ProtobufWire

/// `google.protobuf.FileDescriptorProto`: a parsed `.proto` file.
struct FileDescriptor: DescriptorPart {
  var name = ""
  var package = ""
  var syntax = ""
  /// The paths of the files that it imports.
  var imports: [String] = []
  var messages: [MessageDescriptor] = []
  var enums: [EnumDescriptor] = []
  var services: [ServiceDescriptor] = []
  var options = FileOptions()
  var comments = SourceComments()

  mutating func read(_ tag: UInt32, from reader: inout WireReader) throws(WireError) -> Bool {
    switch tag {
    case 1 << 3 | 2: name = try reader.readString()
    case 2 << 3 | 2: package = try reader.readString()
    case 3 << 3 | 2: imports.append(try reader.readString())
    case 4 << 3 | 2: try reader.readPart(appendingTo: &messages)
    case 5 << 3 | 2: try reader.readPart(appendingTo: &enums)
    case 6 << 3 | 2: try reader.readPart(appendingTo: &services)
    case 8 << 3 | 2: try reader.readPart(into: &options)
    case 9 << 3 | 2: try reader.readPart(into: &comments)
    case 12 << 3 | 2: syntax = try reader.readString()
    default: return false
    }
    return true
  }
}

/// `google.protobuf.FileOptions`.
struct FileOptions: DescriptorPart {
  /// What the Swift names of the file's types begin with; nil where the file doesn't say, and ""
  /// where it says that they begin with nothing.
  var swiftPrefix: String?

  mutating func read(_ tag: UInt32, from reader: inout WireReader) throws(WireError) -> Bool {
    guard tag == 39 << 3 | 2 else { return false }
    swiftPrefix = try reader.readString()
    return true
  }
}
