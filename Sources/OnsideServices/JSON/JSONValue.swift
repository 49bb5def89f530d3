/// A place in a text, as editors count.
struct TextPosition: Hashable, Sendable {
  /// From 1.
  var line = 1

  /// In bytes, from 1.
  var column = 1
}

/// A value of a JSON text, with the place where it begins, for errors about what it means.
struct JSONValue: Hashable, Sendable {
  /// What a value is.
  enum Content: Hashable, Sendable {
    case null
    case boolean(Bool)

    /// As it is written.
    case number(String)
    case string(String)
    case array([JSONValue])

    /// In the order of the text; no name is there twice.
    case object([JSONMember])
  }

  let position: TextPosition
  let content: Content

  /// The kind of value, for errors: "a string".
  var kind: String {
    switch content {
    case .null: "null"
    case .boolean: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// A name and its value in an object.
struct JSONMember: Hashable, Sendable {
  let name: String

  /// Where the name begins.
  let position: TextPosition
  let value: JSONValue
}

/// What is wrong with a JSON text, and where.
struct JSONProblem: Error, Hashable, Sendable {
  let position: TextPosition
  let reason: String
}
