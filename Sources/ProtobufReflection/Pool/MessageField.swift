/// A field of a message type.
public struct MessageField: Sendable {
  let definition: FieldDefinition
  let pool: DescriptorPool

  /// The name in the schema: `external_user_id`.
  public var name: String { definition.proto.name }

  /// The name in JSON: `externalUserId`.
  public var jsonName: String { definition.jsonName }

  /// The number on the wire.
  public var number: UInt32 { definition.number }

  /// The type in the schema.
  public var kind: FieldKind { definition.kind }

  /// Whether the field may occur more than once. Maps are repeated too.
  public var isRepeated: Bool { definition.proto.label == 3 }

  /// Whether the field may be absent, other than by having its default value.
  public var hasPresence: Bool { definition.hasPresence }

  /// The type of a message field or map's entry; nil for all others.
  public var messageType: MessageType? {
    switch kind {
    case .message, .group: pool.message(named: definition.typeName)
    default: nil
    }
  }

  /// The enumeration of an enumeration's field; nil for all others.
  public var enumType: EnumType? {
    kind == .enumeration ? pool.enumeration(named: definition.typeName) : nil
  }

  /// The fields of key and value of a map; nil for all others.
  public var map: (key: MessageField, value: MessageField)? {
    guard isRepeated, let entry = messageType, entry.isMapEntry, let key = entry.field(1),
      let value = entry.field(2)
    else { return nil }
    return (key, value)
  }
}
