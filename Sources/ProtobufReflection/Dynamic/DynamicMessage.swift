public import ProtobufWire

/// A message of a type that is known only at run time.
///
/// ```swift
/// let request = try DynamicMessage(json: #"{"appId": "com.example.shop"}"#, as: method.input)
/// let bytes = request.serialized()
/// ```
public struct DynamicMessage: Sendable {
  /// The type.
  public let type: MessageType

  /// The fields that are set, by number.
  private(set) var fields: [UInt32: DynamicField] = [:]

  /// What was read and isn't in the type: also groups, and numbers that a closed enumeration of
  /// proto2 doesn't have.
  public var unknownFields = UnknownFields()

  /// A message in which no field is set.
  public init(_ type: MessageType) {
    self.type = type
  }

  /// A field's content by its number; nil: it isn't set.
  ///
  /// A field without presence that gets its default value isn't set; nor is an empty list or map.
  /// Setting a field of a oneof clears the others of it.
  ///
  /// - Precondition: The content is of the kind that the field has in the schema. Fields that the
  ///   type doesn't have are ignored.
  public subscript(number: UInt32) -> DynamicField? {
    get { fields[number] }
    set {
      guard let field = type.field(number) else { return }
      guard let newValue, !isAbsent(newValue, of: field) else {
        fields[number] = nil
        return
      }
      for sibling in type.siblings(of: field) { fields[sibling] = nil }
      fields[number] = newValue
    }
  }

  /// A field's content by its name in JSON or in the schema.
  public subscript(name: String) -> DynamicField? {
    get { type.field(named: name).flatMap { fields[$0.number] } }
    set { if let field = type.field(named: name) { self[field.number] = newValue } }
  }

  private func isAbsent(_ content: DynamicField, of field: MessageField) -> Bool {
    switch content {
    case .single(let value): !field.hasPresence && value.isDefault
    case .list(let values): values.isEmpty
    case .map(let entries): entries.isEmpty
    }
  }

  /// The single value of a field; nil when it isn't set, or is repeated.
  func single(_ number: UInt32) -> DynamicValue? {
    if case .single(let value)? = fields[number] { return value }
    return nil
  }

  /// Takes a list out, so that it can grow without a copy.
  mutating func takeList(_ number: UInt32) -> [DynamicValue] {
    if case .list(let values)? = fields.removeValue(forKey: number) { return values }
    return []
  }

  /// Takes a map out, so that it can grow without a copy.
  mutating func takeMap(_ number: UInt32) -> [DynamicValue: DynamicValue] {
    if case .map(let entries)? = fields.removeValue(forKey: number) { return entries }
    return [:]
  }
}

extension DynamicMessage: Hashable {
  /// Whether both have the same type, fields and unknown fields.
  public static func == (left: DynamicMessage, right: DynamicMessage) -> Bool {
    left.type == right.type && left.fields == right.fields
      && left.unknownFields == right.unknownFields
  }

  /// Hashes the content.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    hasher.combine(fields)
  }
}
