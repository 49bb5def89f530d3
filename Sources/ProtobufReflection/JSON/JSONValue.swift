/// A JSON text as a tree, in which every value knows where it stands.
struct JSONValue {
  enum Content {
    case null
    case bool(Bool)
    /// As it is written: an Int64 loses nothing, and a Double is rounded once.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])
  }

  let content: Content
  /// The first byte, from the start of the text.
  let offset: Int

  /// What it is, for errors.
  var kindName: String {
    switch content {
    case .null: "null"
    case .bool: "a bool"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// A name and its value in an object.
struct JSONMember {
  let name: String
  /// Where the name stands.
  let offset: Int
  let value: JSONValue
}
