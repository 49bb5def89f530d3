/// A `.proto` file of a pool.
public struct SchemaFile: Sendable {
  let definition: FileDefinition
  let pool: DescriptorPool

  /// The path by which other files import it.
  public var name: String { definition.proto.name }

  /// What the names of its types begin with; empty: nothing.
  public var package: String { definition.proto.package }

  /// The paths of the files that it imports.
  public var imports: [String] { definition.proto.imports }

  /// The serialized `google.protobuf.FileDescriptorProto`, as it came.
  public var serialized: [UInt8] { definition.serialized }

  /// The files that it imports, directly or not, each behind those that it imports itself; the file
  /// is the last. Those that the pool doesn't have are left out.
  public var withImports: [SchemaFile] {
    var seen: Set<String> = []
    var files: [SchemaFile] = []
    // A loop, since a chain of imports is as long as whoever wrote it likes.
    var waiting: [(file: SchemaFile, isExpanded: Bool)] = [(self, false)]
    while let (file, isExpanded) = waiting.popLast() {
      if isExpanded {
        files.append(file)
      } else if seen.insert(file.name).inserted {
        waiting.append((file, true))
        for name in file.imports.reversed() {
          if let imported = pool.file(named: name) { waiting.append((imported, false)) }
        }
      }
    }
    return files
  }
}

extension SchemaFile: Hashable {
  /// Whether both are the same file of the same pool.
  public static func == (left: SchemaFile, right: SchemaFile) -> Bool {
    left.definition === right.definition
  }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(definition))
  }
}
