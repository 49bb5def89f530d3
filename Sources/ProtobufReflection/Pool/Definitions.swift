// What a pool keeps of its files. The public types are views of these, with the pool in which the
// names of other types are looked up.

/// A `.proto` file.
final class FileDefinition: Sendable {
  let proto: FileProto
  let serialized: [UInt8]

  init(_ proto: FileProto, serialized: [UInt8]) {
    self.proto = proto
    self.serialized = serialized
  }

  /// Fields without a label `optional` have no presence, and enumerations take any number.
  var isProto3: Bool { proto.syntax == "proto3" }
}

/// A message type.
final class MessageDefinition: Sendable {
  let proto: MessageProto
  let fullName: String
  let file: FileDefinition
  let path: [Int32]
  let isMapEntry: Bool
  let fields: [FieldDefinition]

  /// Indices of `fields`.
  let byNumber: [UInt32: Int]
  /// Indices of `fields` by their names in JSON, and by those in the schema.
  let byName: [String: Int]

  init(
    _ proto: MessageProto, fullName: String, file: FileDefinition, path: [Int32],
    isMapEntry: Bool, fields: [FieldDefinition]
  ) {
    self.proto = proto
    self.fullName = fullName
    self.file = file
    self.path = path
    self.isMapEntry = isMapEntry
    self.fields = fields
    var byNumber: [UInt32: Int] = [:]
    var byName: [String: Int] = [:]
    for (index, field) in fields.enumerated() {
      byNumber[field.number] = index
      byName[field.proto.name] = index
    }
    // A name in JSON comes before another field's name in the schema.
    for (index, field) in fields.enumerated() { byName[field.jsonName] = index }
    self.byNumber = byNumber
    self.byName = byName
  }
}

/// A field, or an extension.
final class FieldDefinition: Sendable {
  let proto: FieldProto
  let fullName: String
  let number: UInt32
  let kind: FieldKind
  let jsonName: String
  /// Without the dot; empty for scalars.
  let typeName: String
  let isPacked: Bool
  let hasPresence: Bool
  let path: [Int32]

  init(
    _ proto: FieldProto, fullName: String, kind: FieldKind, number: UInt32, options: KnownOptions,
    isProto3: Bool, path: [Int32]
  ) {
    self.proto = proto
    self.fullName = fullName
    self.kind = kind
    self.number = number
    self.path = path
    jsonName = proto.jsonName ?? JSONName.lowerCamel(proto.name)
    typeName = String(proto.typeName.drop { $0 == "." })
    isPacked = proto.label == 3 && kind.isPackable && (options.packed ?? isProto3)
    hasPresence =
      proto.label != 3
      && (!isProto3 || proto.oneofIndex != nil || kind == .message || kind == .group)
  }
}

/// An enumeration.
final class EnumDefinition: Sendable {
  let proto: EnumProto
  let fullName: String
  let file: FileDefinition
  let path: [Int32]
  let byName: [String: Int32]
  /// Of several names for a number the first.
  let byNumber: [Int32: String]

  init(_ proto: EnumProto, fullName: String, file: FileDefinition, path: [Int32]) {
    self.proto = proto
    self.fullName = fullName
    self.file = file
    self.path = path
    byName = Dictionary(proto.values.map { ($0.name, $0.number) }) { first, _ in first }
    byNumber = Dictionary(proto.values.map { ($0.number, $0.name) }) { first, _ in first }
  }
}

/// A service.
final class ServiceDefinition: Sendable {
  let proto: ServiceProto
  let fullName: String
  let file: FileDefinition
  let path: [Int32]

  init(_ proto: ServiceProto, fullName: String, file: FileDefinition, path: [Int32]) {
    self.proto = proto
    self.fullName = fullName
    self.file = file
    self.path = path
  }
}
