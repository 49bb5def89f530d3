/// A `.proto` file as generated code carries it, for reflection: a client that has no generated
/// code of a service learns its messages from here.
public struct ProtoFile: Sendable {
  /// The path by which other files import it: `onside/v1/login.proto`.
  public let name: String

  /// The imported files that were generated in the same run. Others have to be found by their
  /// names, which the descriptor has.
  public let dependencies: [ProtoFile]

  private let text: String

  /// Describes a file. Called by generated code.
  ///
  /// - Parameters:
  ///   - name: The path by which other files import it.
  ///   - dependencies: The imported files that are known.
  ///   - descriptor: The serialized `google.protobuf.FileDescriptorProto`, a scalar of U+0000 to
  ///     U+00FF for each byte: that way the names in it can be read in the generated code, and the
  ///     compiler takes it for constant text.
  public init(name: String, dependencies: [ProtoFile] = [], descriptor: String) {
    self.name = name
    self.dependencies = dependencies
    text = descriptor
  }

  /// The serialized `google.protobuf.FileDescriptorProto`, made anew at each use.
  public var descriptor: [UInt8] {
    text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
  }
}

extension ProtoFile: Hashable {
  /// Two files with the same name are the same file.
  public static func == (left: ProtoFile, right: ProtoFile) -> Bool {
    left.name == right.name
  }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
  }
}
