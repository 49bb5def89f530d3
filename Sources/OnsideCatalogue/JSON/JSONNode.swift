/// A JSON value with its place, for texts that are small and read in any order.
package struct JSONNode {
  package indirect enum Value {
    case object([(key: String, node: JSONNode)])
    case array([JSONNode])
    case string(String)

    /// The number as it was written.
    case number(String)
    case boolean(Bool)
    case null
  }

  package let position: JSONPosition
  package let value: Value

  /// Reads the next value.
  init(_ scanner: inout JSONScanner) throws(CatalogueProblem) {
    let kind = try scanner.peek()
    position = scanner.position
    switch kind {
    case .object: value = .object(try Self.members(&scanner))
    case .array: value = .array(try Self.elements(&scanner))
    case .string: value = .string(scanner.text(try scanner.string()))
    case .number: value = .number(scanner.text(try scanner.number()))
    case .boolean: value = .boolean(try scanner.boolean())
    case .null:
      try scanner.null()
      value = .null
    }
  }

  private static func members(
    _ scanner: inout JSONScanner
  ) throws(CatalogueProblem) -> [(key: String, node: JSONNode)] {
    try scanner.beginObject()
    var members: [(key: String, node: JSONNode)] = []
    var isFirst = true
    while let key = try scanner.nextKey(&isFirst) {
      let name = scanner.text(key)
      members.append((name, try JSONNode(&scanner)))
    }
    return members
  }

  private static func elements(_ scanner: inout JSONScanner) throws(CatalogueProblem) -> [JSONNode]
  {
    try scanner.beginArray()
    var elements: [JSONNode] = []
    var isFirst = true
    while try scanner.nextElement(&isFirst) { elements.append(try JSONNode(&scanner)) }
    return elements
  }
}

extension JSONNode {
  /// The member of an object, the last if there are several; nil if it is absent, null, or this
  /// isn't an object.
  subscript(key: String) -> JSONNode? {
    guard case .object(let members) = value,
      let node = members.last(where: { $0.key == key })?.node
    else { return nil }
    if case .null = node.value { return nil }
    return node
  }

  /// The elements of an array; empty for anything else.
  var elements: [JSONNode] {
    if case .array(let elements) = value { elements } else { [] }
  }

  /// The text of a string; nil for anything else.
  var string: String? {
    if case .string(let text) = value { text } else { nil }
  }

  /// The value of a whole number; nil for anything else.
  var integer: Int? {
    if case .number(let text) = value { Int(text) } else { nil }
  }

  /// Nil for anything but true and false.
  var boolean: Bool? {
    if case .boolean(let value) = value { value } else { nil }
  }

  /// The text of a string, or a number as it was written; nil for anything else.
  var decimalText: String? {
    switch value {
    case .string(let text), .number(let text): text
    default: nil
    }
  }

  func invalid(_ reason: String) -> CatalogueProblem { position.invalid(reason) }
}
