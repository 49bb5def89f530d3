public import ProtobufWire

/// The types and services of a set of `.proto` files, which refer to each other by name.
///
/// ```swift
/// let pool = try DescriptorPool([.onsideV1Login])
/// let type = pool.message(named: "onside.v1.CreateSessionRequest")
/// ```
public final class DescriptorPool: Sendable {
  let definitions: PoolBuilder

  /// The well-known types of protobuf, and `google/protobuf/descriptor.proto`.
  public static let wellKnownFiles: [ProtoFile] = [
    .googleProtobufAny, .googleProtobufDescriptor, .googleProtobufDuration, .googleProtobufEmpty,
    .googleProtobufFieldMask, .googleProtobufStruct, .googleProtobufTimestamp,
    .googleProtobufWrappers,
  ]

  /// Makes a pool of serialized `google.protobuf.FileDescriptorProto` messages.
  ///
  /// - Parameters:
  ///   - files: In any order. Of several with the same name the first counts. Imported files may be
  ///     missing as long as nothing of them is used.
  ///   - others: Files that are added where they and what they depend on define nothing that is
  ///     there already.
  /// - Throws: `DescriptorError` that names the file and what is wrong with it.
  public init(
    serializedFiles files: [[UInt8]], others: [ProtoFile] = []
  ) throws(DescriptorError) {
    var builder = PoolBuilder()
    for file in files { try builder.add(file) }
    for file in others.flatMap(\.withDependencies) {
      var extended = builder
      if (try? extended.add(file.descriptor)) != nil { builder = extended }
    }
    try builder.check()
    definitions = builder
  }

  /// Makes a pool of what `protoc --include_imports --descriptor_set_out` writes.
  ///
  /// - Parameters:
  ///   - set: A serialized `google.protobuf.FileDescriptorSet`.
  ///   - others: Files that are added where they define nothing that the set does.
  /// - Throws: `DescriptorError` that names the file and what is wrong with it.
  public convenience init(
    descriptorSet set: [UInt8], others: [ProtoFile] = []
  ) throws(DescriptorError) {
    let files: [[UInt8]]
    do throws(WireError) {
      files = try FileSetProto(serialized: set).files
    } catch {
      throw DescriptorError(file: "", reason: "not a descriptor set: \(error)")
    }
    guard !files.isEmpty else {
      throw DescriptorError(file: "", reason: "not a descriptor set: it has no files")
    }
    try self.init(serializedFiles: files, others: others)
  }

  /// Makes a pool of files that generated code carries, with what they depend on.
  ///
  /// - Throws: `DescriptorError` that names the file and what is wrong with it.
  public convenience init(_ files: [ProtoFile]) throws(DescriptorError) {
    try self.init(serializedFiles: files.flatMap(\.withDependencies).map(\.descriptor))
  }

  /// The files, in the order in which they were given.
  public var files: [SchemaFile] {
    definitions.files.map { SchemaFile(definition: $0, pool: self) }
  }

  /// The services, sorted by name.
  public var services: [ServiceType] {
    definitions.services.values.sorted { $0.fullName < $1.fullName }
      .map { ServiceType(definition: $0, pool: self) }
  }

  /// The message type with this full name, without a dot before it; nil when there is none.
  public func message(named name: String) -> MessageType? {
    definitions.messages[name].map { MessageType(definition: $0, pool: self) }
  }

  /// The enumeration with this full name; nil when there is none.
  public func enumeration(named name: String) -> EnumType? {
    definitions.enums[name].map { EnumType(definition: $0, pool: self) }
  }

  /// The service with this full name; nil when there is none.
  public func service(named name: String) -> ServiceType? {
    definitions.services[name].map { ServiceType(definition: $0, pool: self) }
  }

  /// The file with this path; nil when there is none.
  public func file(named name: String) -> SchemaFile? {
    definitions.files.first { $0.proto.name == name }.map {
      SchemaFile(definition: $0, pool: self)
    }
  }

  /// The file that defines a symbol: a service, method, message, field, oneof, enumeration, value
  /// or extension, by its full name.
  public func file(defining symbol: String) -> SchemaFile? {
    definitions.fileOfSymbol[symbol].map {
      SchemaFile(definition: definitions.files[$0], pool: self)
    }
  }

  /// The extensions of a message type: fields that other files add to it.
  func extensions(of message: String) -> [MessageField] {
    (definitions.extensions[message] ?? []).map { MessageField(definition: $0, pool: self) }
  }
}

extension ProtoFile {
  /// What the file depends on, then the file; each once.
  public var withDependencies: [ProtoFile] {
    var seen: Set<ProtoFile> = []
    var files: [ProtoFile] = []
    collect(into: &files, &seen)
    return files
  }

  private func collect(into files: inout [ProtoFile], _ seen: inout Set<ProtoFile>) {
    guard seen.insert(self).inserted else { return }
    for file in dependencies { file.collect(into: &files, &seen) }
    files.append(self)
  }
}
