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
  var comments = CommentsProto()

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

/// `google.protobuf.SourceCodeInfo`: the comments of a file by the place of what they stand at.
struct CommentsProto: DescriptorPart {
  private var byPath: [[Int32]: String] = [:]

  /// The comment before the element at this path, else the one behind it.
  ///
  /// A path is alternately a field number of the descriptor and an index, as `descriptor.proto`
  /// says.
  subscript(path: [Int32]) -> String? { byPath[path] }

  mutating func read(_ tag: UInt32, from reader: inout WireReader) throws(WireError) -> Bool {
    guard tag == 1 << 3 | 2 else { return false }
    try reader.charge(MemoryLayout<Location>.stride)
    var location = Location()
    try reader.readPart(into: &location)
    let text = location.leading.isEmpty ? location.trailing : location.leading
    if !text.isEmpty { byPath[location.path] = text }
    return true
  }

  private struct Location: DescriptorPart {
    var path: [Int32] = []
    var leading = ""
    var trailing = ""

    mutating func read(_ tag: UInt32, from reader: inout WireReader) throws(WireError) -> Bool {
      switch tag {
      case 1 << 3 | 2: try reader.readPacked(into: &path, as: Int32Coding.self)
      case 1 << 3 | 0: try reader.readRepeated(into: &path, as: Int32Coding.self)
      case 3 << 3 | 2: leading = try reader.readString()
      case 4 << 3 | 2: trailing = try reader.readString()
      default: return false
      }
      return true
    }
  }
}
