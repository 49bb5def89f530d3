/// A field as the generated code sees it.
struct Field {
  /// What a value of the field is.
  enum Content {
    /// A number, bool, string or bytes: the coding's name and the Swift type.
    case scalar(coding: String, type: String)
    case enumeration(type: String)
    case message(type: String)
    indirect case map(key: Content, value: Content)
  }

  /// How often the field may occur, and whether it may be absent.
  enum Presence {
    /// Absent when it has its default value.
    case implicit
    /// An Optional.
    case explicit
    case repeated(packed: Bool)
    case map
    /// A case of the oneof with this index.
    case oneof(Int)
  }

  let descriptor: FieldDescriptor
  /// The identifier in Swift.
  let name: String
  let content: Content
  let presence: Presence
  /// The value may hold a value of the message that the field is in.
  let isRecursive: Bool
  /// The path of the field in its file, for its comment.
  let path: [Int32]

  /// The field number.
  var number: UInt32 { UInt32(descriptor.number) }

  /// Whether the value of the field is a single message.
  var isMessage: Bool {
    if case .message = content { return true }
    return false
  }

  /// A singular field whose value lies in memory of its own.
  var isBoxed: Bool {
    if case .explicit = presence { return isRecursive }
    return false
  }

  /// The stored property: the field itself, unless that is computed.
  var storage: String {
    guard isBoxed else { return name }
    return "_" + name.filter { $0 != "`" }
  }

  /// The tag with which the field is written.
  var tag: UInt32 {
    if case .repeated(packed: true) = presence { return number << 3 | 2 }
    return number << 3 | content.wireType
  }

  /// The bytes of the tag.
  var tagSize: Int {
    var size = 1
    var rest = tag >> 7
    while rest > 0 {
      size += 1
      rest >>= 7
    }
    return size
  }

  /// The Swift type of the property, with its `?` or brackets.
  var type: String {
    switch presence {
    case .implicit, .map: content.type
    case .explicit, .oneof: content.type + "?"
    case .repeated: "[\(content.type)]"
    }
  }

  /// The value of a field that was never set.
  var defaultValue: String {
    switch presence {
    case .implicit: content.defaultValue
    case .explicit, .oneof: "nil"
    case .repeated: "[]"
    case .map: "[:]"
    }
  }
}

extension Field.Content {
  /// The Swift type of one value.
  var type: String {
    switch self {
    case .scalar(_, let type), .enumeration(let type), .message(let type): type
    case .map(let key, let value): "[\(key.type): \(value.type)]"
    }
  }

  /// The type that reads and writes one value.
  var coding: String {
    switch self {
    case .scalar(let coding, _): coding
    case .enumeration(let type): "EnumCoding<\(type)>"
    case .message(let type): "MessageCoding<\(type)>"
    case .map(_, let value): value.coding
    }
  }

  /// The wire type of one value, and of a map's entry.
  var wireType: UInt32 {
    switch self {
    case .message, .map: 2
    case .enumeration: 0
    case .scalar(let coding, _):
      switch coding {
      case "StringCoding", "BytesCoding": 2
      case "Fixed64Coding", "SFixed64Coding", "DoubleCoding": 1
      case "Fixed32Coding", "SFixed32Coding", "FloatCoding": 5
      default: 0
      }
    }
  }

  /// Whether a repeated field of this may be packed.
  var isPackable: Bool { wireType != 2 }

  /// The value of a field without presence that was never set.
  var defaultValue: String {
    switch self {
    case .scalar(_, "String"): "\"\""
    case .scalar(_, "[UInt8]"): "[]"
    case .scalar(_, "Bool"): "false"
    case .scalar: "0"
    case .enumeration(let type): "\(type)(rawValue: 0)"
    case .message(let type): "\(type)()"
    case .map: "[:]"
    }
  }

  /// A condition that is true when a value isn't the default.
  func isSet(_ value: String) -> String {
    switch self {
    case .scalar(_, "String"), .scalar(_, "[UInt8]"), .map: "!\(value).isEmpty"
    case .scalar(_, "Bool"): value
    // Not `!= 0`: minus zero is not the default.
    case .scalar(_, "Float"), .scalar(_, "Double"): "\(value).bitPattern != 0"
    case .scalar, .message: "\(value) != 0"
    case .enumeration: "\(value).rawValue != 0"
    }
  }
}
