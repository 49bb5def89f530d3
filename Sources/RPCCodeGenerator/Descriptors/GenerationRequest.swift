import ProtobufWire

/// `google.protobuf.compiler.CodeGeneratorRequest`: what protoc writes to a plugin.
struct GenerationRequest: DescriptorPart {
  /// The files named on protoc's command line.
  var filesToGenerate: [String] = []
  /// What stands before the colon of `--rpc-swift_out`, or in `--rpc-swift_opt`.
  var parameter = ""
  /// Those files and all that they import, each behind what it imports.
  var files: [FileDescriptor] = []

  mutating func read(_ tag: UInt32, from reader: inout WireReader) throws(WireError) -> Bool {
    switch tag {
    case 1 << 3 | 2: filesToGenerate.append(try reader.readString())
    case 2 << 3 | 2: parameter = try reader.readString()
    case 15 << 3 | 2: try reader.readPart(appendingTo: &files)
    default: return false
    }
    return true
  }
}
