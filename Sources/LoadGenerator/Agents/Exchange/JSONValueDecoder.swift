import LoadReporting

extension JSONValue {
  /// Reads what ``encoding(_:)`` wrote.
  ///
  /// - Throws: `DecodingError` that says where the value isn't what was expected.
  func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    try SingleValue(value: self, codingPath: []).decode(type)
  }
}

private struct ValueDecoder: Decoder {
  let value: JSONValue
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = value else {
      throw mismatch([String: String].self, "an object", value, codingPath)
    }
    let values = Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
    return KeyedDecodingContainer(KeyedValues(values: values, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = value else {
      throw mismatch([String].self, "a list", value, codingPath)
    }
    return ValueList(elements: elements, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    SingleValue(value: value, codingPath: codingPath)
  }
}

private struct KeyedValues<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let values: [String: JSONValue]
  let codingPath: [any CodingKey]
  var allKeys: [Key] { values.keys.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { values[key.stringValue] != nil }

  func decodeNil(forKey key: Key) throws -> Bool {
    (values[key.stringValue] ?? .null) == .null
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try SingleValue(value: try value(key), codingPath: codingPath + [key]).decode(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try decoder(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder {
    ValueDecoder(value: values["super"] ?? .null, codingPath: codingPath)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

  private func value(_ key: Key) throws -> JSONValue {
    guard let value = values[key.stringValue] else {
      throw DecodingError.keyNotFound(
        key, .init(codingPath: codingPath, debugDescription: "\(key.stringValue) is missing"))
    }
    return value
  }

  private func decoder(_ key: Key) throws -> ValueDecoder {
    ValueDecoder(value: try value(key), codingPath: codingPath + [key])
  }
}

private struct ValueList: UnkeyedDecodingContainer {
  let elements: [JSONValue]
  let codingPath: [any CodingKey]
  private(set) var currentIndex = 0

  init(elements: [JSONValue], codingPath: [any CodingKey]) {
    self.elements = elements
    self.codingPath = codingPath
  }

  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, elements[currentIndex] == .null else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try SingleValue(value: try next(type), codingPath: codingPath).decode(type)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try ValueDecoder(value: next(type), codingPath: codingPath).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try ValueDecoder(value: next([String].self), codingPath: codingPath).unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder {
    ValueDecoder(value: try next(String.self), codingPath: codingPath)
  }

  private mutating func next(_ type: any Any.Type) throws -> JSONValue {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type, .init(codingPath: codingPath, debugDescription: "the list is too short"))
    }
    defer { currentIndex += 1 }
    return elements[currentIndex]
  }
}

private struct SingleValue: SingleValueDecodingContainer {
  let value: JSONValue
  let codingPath: [any CodingKey]

  func decodeNil() -> Bool { value == .null }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let decoded: Any?
    switch type {
    case is Bool.Type: decoded = if case .boolean(let flag) = value { flag } else { nil }
    case is String.Type: decoded = value.string
    case is Double.Type: decoded = value.double ?? value.string.flatMap(Double.init)
    case let type as any FixedWidthInteger.Type: decoded = integer(type)
    default:
      return try Value(from: ValueDecoder(value: value, codingPath: codingPath))
    }
    guard let decoded = decoded as? Value else {
      throw mismatch(type, "a value of the type \(type)", value, codingPath)
    }
    return decoded
  }

  private func integer<Number: FixedWidthInteger>(_ type: Number.Type) -> Any? {
    if case .number(let text) = value { Number(text) } else { nil }
  }
}

private func mismatch(
  _ type: any Any.Type, _ expected: String, _ value: JSONValue, _ path: [any CodingKey]
) -> DecodingError {
  let place = path.map(\.stringValue).joined(separator: ".")
  return .typeMismatch(
    type,
    .init(codingPath: path, debugDescription: "\(place): expected \(expected)"))
}
