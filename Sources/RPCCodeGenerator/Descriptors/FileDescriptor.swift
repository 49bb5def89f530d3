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

/// `google.protobuf.SourceCodeInfo`: the comments of a file by the place of what they stand at.
struct SourceComments: DescriptorPart {
  private var byPath: [[Int32]: String] = [:]

  mutating func read(_ tag: UInt32, from reader: inout WireReader) throws(WireError) -> Bool {
    guard tag == 1 << 3 | 2 else { return false }
    var location = Location()
    try reader.readPart(into: &location)
    let text = location.leading.isEmpty ? location.trailing : location.leading
    if !text.isEmpty { byPath[location.path] = text }
    return true
  }

  /// The comment before the element at this path, else the one behind it.
  ///
  /// A path is alternately a field number of the descriptor and an index, as `descriptor.proto`
  /// says.
  subscript(path: [Int32]) -> String? { byPath[path] }

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
