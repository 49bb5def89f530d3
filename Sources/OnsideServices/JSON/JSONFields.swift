import OnsideCatalogue
import OnsideDomain

/// What is wrong with the meaning of a JSON text, and where.
struct JSONProblem: Error, Hashable, Sendable {
  let position: JSONPosition
  let reason: String
}

extension JSONNode {
  /// The kind of value, for errors: "a string".
  var kind: String {
    switch value {
    case .null: "null"
    case .boolean: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  var isNull: Bool {
    if case .null = value { true } else { false }
  }
}

/// Takes the members of an object one by one; what is left at the end is an error, and so is a name
/// that is there twice.
struct JSONFields {
  /// What is wrong with a text; nil: nothing.
  typealias Check = (String) -> String?

  private let owner: String
  private let position: JSONPosition
  private var rest: [(key: String, node: JSONNode)]
  private var known: [String] = []

  /// The members of `value`, which has to be an object; `owner` names it in errors.
  init(_ value: JSONNode, of owner: String) throws(JSONProblem) {
    guard case .object(let members) = value.value else {
      throw JSONProblem(
        position: value.position, reason: "\(owner) has to be an object, not \(value.kind)")
    }
    self.owner = owner
    position = value.position
    rest = members
    var names: Set<String> = []
    for member in members where !names.insert(member.key).inserted {
      throw JSONProblem(
        position: member.node.position, reason: "\(Escaping.quoted(member.key)) is there twice")
    }
  }

  /// The value of a member that may be absent; null counts as absent.
  mutating func optional(_ name: String) -> JSONNode? {
    known.append(name)
    guard let index = rest.firstIndex(where: { $0.key == name }) else { return nil }
    let value = rest.remove(at: index).node
    return value.isNull ? nil : value
  }

  private mutating func required(_ name: String) throws(JSONProblem) -> JSONNode {
    guard let value = optional(name) else {
      throw JSONProblem(position: position, reason: "\"\(name)\" of \(owner) is missing")
    }
    return value
  }

  mutating func string(_ name: String, _ check: Check) throws(JSONProblem) -> String {
    try Self.text(try required(name), name, check)
  }

  mutating func optionalString(_ name: String, _ check: Check) throws(JSONProblem) -> String? {
    guard let value = optional(name) else { return nil }
    return try Self.text(value, name, check)
  }

  mutating func array(_ name: String) throws(JSONProblem) -> [JSONNode] {
    let value = try required(name)
    guard case .array(let elements) = value.value else {
      throw JSONProblem(
        position: value.position, reason: "\"\(name)\" has to be an array, not \(value.kind)")
    }
    return elements
  }

  /// A string or an array of strings; absent: none.
  mutating func strings(_ name: String, _ check: Check) throws(JSONProblem) -> [String] {
    guard let value = optional(name) else { return [] }
    guard case .array(let elements) = value.value else {
      return [try Self.text(value, name, check)]
    }
    var texts: [String] = []
    for element in elements { texts.append(try Self.text(element, name, check)) }
    return texts
  }

  /// SHA-256 digests as 64 hexadecimal digits each; absent: none.
  mutating func digests(_ name: String) throws(JSONProblem) -> [[UInt8]] {
    let texts = try strings(name) { text in
      Hexadecimal.bytes(text)?.count == 32
        ? nil : "\"\(name)\" has to be SHA-256 as 64 hexadecimal digits"
    }
    return texts.compactMap(Hexadecimal.bytes)
  }

  /// - Throws: The first member that nobody took.
  func finish() throws(JSONProblem) {
    guard let unknown = rest.first else { return }
    throw JSONProblem(
      position: unknown.node.position,
      reason:
        "\(owner) has no \(Escaping.quoted(unknown.key)); it has \(known.joined(separator: ", "))"
    )
  }

  private static func text(
    _ value: JSONNode, _ name: String, _ check: Check
  ) throws(JSONProblem) -> String {
    guard case .string(let text) = value.value else {
      throw JSONProblem(
        position: value.position, reason: "\"\(name)\" has to be a string, not \(value.kind)")
    }
    if let problem = check(text) {
      throw JSONProblem(position: value.position, reason: problem)
    }
    return text
  }
}
