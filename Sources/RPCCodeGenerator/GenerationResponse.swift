import ProtobufWire

/// `google.protobuf.compiler.CodeGeneratorResponse`: what a plugin answers to protoc.
struct GenerationResponse: Message, Hashable {
  /// What stops protoc: a text for the author of the `.proto` file; empty when all went well.
  var error = ""
  var files: [GeneratedFile] = []
  var unknownFields = UnknownFields()

  /// `FEATURE_PROTO3_OPTIONAL`: protoc hands no file with `optional` to a plugin without it.
  private static let supportedFeatures: UInt64 = 1

  static var protoName: String { "google.protobuf.compiler.CodeGeneratorResponse" }

  func encodedSize(_ plan: inout SizePlan) -> Int {
    var size = 1 + UInt64Coding.size(of: Self.supportedFeatures)
    if !error.isEmpty { size += 1 + StringCoding.size(of: error) }
    size += plan.messagesSize(files, tagSize: 1)
    return size + unknownFields.encodedSize
  }

  func encode(into writer: inout WireWriter) {
    if !error.isEmpty { writer.write(error, as: StringCoding.self, tag: 1 << 3 | 2) }
    writer.write(Self.supportedFeatures, as: UInt64Coding.self, tag: 2 << 3 | 0)
    writer.writeMessages(files, tag: 15 << 3 | 2)
    writer.write(unknownFields)
  }

  mutating func merge(from reader: inout WireReader) throws(WireError) {
    while true {
      let tag = try reader.readTag()
      switch tag {
      case 0: return
      case 1 << 3 | 2: error = try reader.readString()
      case 15 << 3 | 2: try reader.readMessage(appendingTo: &files)
      default: try reader.readUnknown(tag, into: &unknownFields)
      }
    }
  }
}

/// `google.protobuf.compiler.CodeGeneratorResponse.File`.
struct GeneratedFile: Message, Hashable {
  /// The path below the output folder.
  var name = ""
  var content = ""
  var unknownFields = UnknownFields()

  static var protoName: String { "google.protobuf.compiler.CodeGeneratorResponse.File" }

  func encodedSize(_ plan: inout SizePlan) -> Int {
    2 + StringCoding.size(of: name) + StringCoding.size(of: content) + unknownFields.encodedSize
  }

  func encode(into writer: inout WireWriter) {
    writer.write(name, as: StringCoding.self, tag: 1 << 3 | 2)
    writer.write(content, as: StringCoding.self, tag: 15 << 3 | 2)
    writer.write(unknownFields)
  }

  mutating func merge(from reader: inout WireReader) throws(WireError) {
    while true {
      let tag = try reader.readTag()
      switch tag {
      case 0: return
      case 1 << 3 | 2: name = try reader.readString()
      case 15 << 3 | 2: content = try reader.readString()
      default: try reader.readUnknown(tag, into: &unknownFields)
      }
    }
  }
}
