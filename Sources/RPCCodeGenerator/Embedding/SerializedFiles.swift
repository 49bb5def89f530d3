import ProtobufWire

/// The serialized descriptors of a request's files by name: what reflection hands out.
///
/// Of the source locations only those with comments are kept. The others are two thirds of a
/// descriptor, and tell nothing about messages.
struct SerializedFiles {
  private struct File {
    var name = ""
    /// The `FileDescriptorProto` without its `source_code_info`.
    var content: [UInt8] = []
    /// The field `source_code_info` with the locations that have comments; empty: there are none.
    var comments: [UInt8] = []
  }

  private var files: [String: File] = [:]

  /// The `FileDescriptorProto` of a file; nil when it isn't in the request.
  func descriptor(of name: String, withComments: Bool) -> [UInt8]? {
    files[name].map { withComments ? $0.content + $0.comments : $0.content }
  }

  /// Takes the descriptors out of a `CodeGeneratorRequest`.
  init(request: [UInt8]) throws(WireError) {
    let span = request.span.bytes
    var reader = WireReader(span)
    while true {
      let tag = try reader.readTag()
      switch tag {
      case 0: return
      case 15 << 3 | 2:
        let file = try Self.file(Array(request[try reader.readRange()]))
        files[file.name] = file
      default: try reader.skipField(tag)
      }
    }
  }

  private static func file(_ serialized: [UInt8]) throws(WireError) -> File {
    var file = File()
    var reader = WireReader(serialized.span.bytes)
    while true {
      let start = reader.offset
      let tag = try reader.readTag()
      switch tag {
      case 0: return file
      case 9 << 3 | 2:
        let info = try comments(Array(serialized[try reader.readRange()]))
        appendField(9, info, to: &file.comments)
        continue
      case 1 << 3 | 2: file.name = try reader.readString()
      default: try reader.skipField(tag)
      }
      file.content += serialized[start..<reader.offset]
    }
  }

  /// The locations of a `SourceCodeInfo` that have a comment.
  private static func comments(_ info: [UInt8]) throws(WireError) -> [UInt8] {
    var kept: [UInt8] = []
    var reader = WireReader(info.span.bytes)
    while true {
      let start = reader.offset
      let tag = try reader.readTag()
      if tag == 0 { return kept }
      guard tag == 1 << 3 | 2 else {
        try reader.skipField(tag)
        continue
      }
      let location = try reader.readRange()
      if try hasComment(Array(info[location])) { kept += info[start..<reader.offset] }
    }
  }

  private static func hasComment(_ location: [UInt8]) throws(WireError) -> Bool {
    var reader = WireReader(location.span.bytes)
    while true {
      let tag = try reader.readTag()
      switch tag {
      case 0: return false
      case 3 << 3 | 2, 4 << 3 | 2, 6 << 3 | 2: return true
      default: try reader.skipField(tag)
      }
    }
  }

  private static func appendField(_ number: UInt32, _ value: [UInt8], to bytes: inout [UInt8]) {
    guard !value.isEmpty else { return }
    let tag = UInt64(number << 3 | 2)
    let size = WireFormat.varintSize(tag) + BytesCoding.size(of: value)
    bytes += [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      var writer = WireWriter(UnsafeMutableRawBufferPointer(buffer))
      writer.writeVarint(tag)
      writer.writeBytes(value)
      count = writer.count
    }
  }
}
