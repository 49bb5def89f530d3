import LoadReporting

extension JSONValue {
  /// Any value as JSON. What is read back by ``decode(_:)`` is the same to the last bit: whole
  /// numbers keep all their digits, and fractions the shortest text that stands for them alone.
  static func encoding(_ value: some Encodable) throws -> JSONValue {
    let node = EncodedNode()
    try value.encode(to: NodeEncoder(node: node, codingPath: []))
    return node.value
  }
}

/// A value that is being put together.
private final class EncodedNode {
  private enum Content {
    case single(JSONValue)
    case array([EncodedNode])
    case object([(name: String, node: EncodedNode)])
  }

  private var content = Content.single(.null)

  var value: JSONValue {
    switch content {
    case .single(let value): value
    case .array(let nodes): .array(nodes.map(\.value))
    case .object(let members): .object(members.map { .init($0.name, $0.node.value) })
    }
  }

  var count: Int {
    if case .array(let nodes) = content { nodes.count } else { 0 }
  }

  func set(_ value: JSONValue) { content = .single(value) }

  func becomeArray() {
    if case .single = content { content = .array([]) }
  }

  func becomeObject() {
    if case .single = content { content = .object([]) }
  }

  func element() -> EncodedNode {
    let node = EncodedNode()
    guard case .array(var nodes) = content else { return node }
    content = .single(.null)
    nodes.append(node)
    content = .array(nodes)
    return node
  }

  func member(_ name: String) -> EncodedNode {
    let node = EncodedNode()
    guard case .object(var members) = content else { return node }
    content = .single(.null)
    members.append((name, node))
    content = .object(members)
    return node
  }
}

private struct NodeEncoder: Encoder {
  let node: EncodedNode
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.becomeObject()
    return KeyedEncodingContainer(KeyedNode(node: node, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.becomeArray()
    return NodeList(node: node, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleNode(node: node, codingPath: codingPath)
  }
}

private struct KeyedNode<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: EncodedNode
  let codingPath: [any CodingKey]

  mutating func encodeNil(forKey key: Key) throws { node.member(key.stringValue).set(.null) }

  mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    var single = SingleNode(node: node.member(key.stringValue), codingPath: codingPath + [key])
    try single.encode(value)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    encoder(key).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder(key).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder {
    NodeEncoder(node: node.member("super"), codingPath: codingPath)
  }

  mutating func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }

  private func encoder(_ key: Key) -> NodeEncoder {
    NodeEncoder(node: node.member(key.stringValue), codingPath: codingPath + [key])
  }
}

private struct NodeList: UnkeyedEncodingContainer {
  let node: EncodedNode
  let codingPath: [any CodingKey]
  var count: Int { node.count }

  mutating func encodeNil() throws { node.element().set(.null) }

  mutating func encode<Value: Encodable>(_ value: Value) throws {
    var single = SingleNode(node: node.element(), codingPath: codingPath)
    try single.encode(value)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    NodeEncoder(node: node.element(), codingPath: codingPath).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    NodeEncoder(node: node.element(), codingPath: codingPath).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder {
    NodeEncoder(node: node.element(), codingPath: codingPath)
  }
}

private struct SingleNode: SingleValueEncodingContainer {
  let node: EncodedNode
  let codingPath: [any CodingKey]

  mutating func encodeNil() throws { node.set(.null) }

  mutating func encode<Value: Encodable>(_ value: Value) throws {
    switch value {
    case let flag as Bool: node.set(.boolean(flag))
    case let text as String: node.set(.string(text))
    case let number as Double: node.set(Self.number(number))
    case let number as Float: node.set(Self.number(Double(number)))
    case let number as any BinaryInteger: node.set(.number(String(describing: number)))
    default: try value.encode(to: NodeEncoder(node: node, codingPath: codingPath))
    }
  }

  /// Those that JSON has no number for are texts.
  private static func number(_ value: Double) -> JSONValue {
    value.isFinite ? .number(String(value)) : .string(String(value))
  }
}
