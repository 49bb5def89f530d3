import TestSupport
import ConformanceMessages
import Foundation
import ProtobufWire
import Testing

/// `kinds.proto` as the reference implementations see it.
enum ReferenceSchema {
  static let proto = Folders.package.appending(path: "Proto").path
  static let file = "test/v1/kinds.proto"
  static let script = Folders.package.appending(path: "Tests/Reference/protobuf_reference.py").path
  /// Debian's Python, whose protobuf is the package python3-protobuf.
  static let python = "/usr/bin/python3"
  static let protoc = "/usr/bin/protoc"
  static let pythonProtobuf = "/usr/lib/python3/dist-packages/google/protobuf"

  /// Decodes and encodes each type by its name.
  static let codecs: [String: @Sendable ([UInt8]) throws -> [UInt8]] = [
    "Scalars": { try Scalars(serialized: $0).serialized() },
    "Optionals": { try Optionals(serialized: $0).serialized() },
    "Lists": { try Lists(serialized: $0).serialized() },
    "UnpackedLists": { try UnpackedLists(serialized: $0).serialized() },
    "Maps": { try Maps(serialized: $0).serialized() },
    "Tree": { try Tree(serialized: $0).serialized() },
    "Choice": { try Choice(serialized: $0).serialized() },
    "Names": { try Names(serialized: $0).serialized() },
  ]

  /// Runs protoc on `kinds.proto`.
  static func protoc(_ arguments: [String], input: [UInt8] = []) async throws -> [UInt8] {
    let end = try await Program.run(
      [protoc, "-I\(proto)"] + arguments + [file], input: input)
    try #require(end.status == 0, "\(end.errors)")
    return end.output
  }
}
