/// A message type of a pool.
public struct MessageType: Sendable {
  let definition: MessageDefinition
  let pool: DescriptorPool

  /// The full name: `onside.v1.Profile`.
  public var fullName: String { definition.fullName }

  /// The fields, in the order of the `.proto` file.
  public var fields: [MessageField] {
    definition.fields.map { MessageField(definition: $0, pool: pool) }
  }

  /// The field with this number; nil when there is none.
  public func field(_ number: UInt32) -> MessageField? {
    definition.byNumber[number].map {
      MessageField(definition: definition.fields[$0], pool: pool)
    }
  }

  /// The field with this name in JSON or in the schema; nil when there is none.
  public func field(named name: String) -> MessageField? {
    definition.byName[name].map { MessageField(definition: definition.fields[$0], pool: pool) }
  }

  /// The type is what protoc makes of `map<K, V>`.
  var isMapEntry: Bool { definition.isMapEntry }

  /// The numbers of the fields that share a oneof with the field, without itself.
  func siblings(of field: MessageField) -> [UInt32] {
    guard let oneof = field.definition.proto.oneofIndex else { return [] }
    return definition.fields.lazy.filter {
      $0.proto.oneofIndex == oneof && $0.number != field.number
    }.map(\.number)
  }
}

extension MessageType: Hashable {
  /// Whether both are the same type of the same pool.
  public static func == (left: MessageType, right: MessageType) -> Bool {
    left.definition === right.definition
  }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(definition))
  }
}
