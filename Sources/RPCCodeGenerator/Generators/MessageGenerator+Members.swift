extension MessageGenerator {
  /// A property of the struct: a field, or a oneof with all its fields.
  enum Member {
    case field(Field)
    case oneof(Oneof)
  }

  /// The properties in the order in which they are declared and given to the initializer.
  var members: [Member] {
    var members: [Member] = []
    var seen: Set<Int> = []
    for field in fields {
      guard case .oneof(let index) = field.presence else {
        members.append(.field(field))
        continue
      }
      guard seen.insert(index).inserted else { continue }
      if let oneof = oneofs.first(where: { $0.index == index }) { members.append(.oneof(oneof)) }
    }
    return members
  }
}

extension MessageGenerator.Member {
  /// The identifier of the property.
  var name: String {
    switch self {
    case .field(let field): field.name
    case .oneof(let oneof): oneof.name
    }
  }

  /// The type of the property.
  var type: String {
    switch self {
    case .field(let field): field.type
    case .oneof(let oneof): oneof.typeName + "?"
    }
  }

  /// The value of a property that was never set.
  var defaultValue: String {
    switch self {
    case .field(let field): field.defaultValue
    case .oneof: "nil"
    }
  }
}

extension Field {
  /// The field roughly as its file declares it, for a field without a comment.
  var declaration: String {
    let name = "\(descriptor.name) = \(number)"
    switch presence {
    case .explicit where descriptor.isProto3Optional: return "optional \(protoType) \(name)"
    case .repeated: return "repeated \(protoType) \(name)"
    default: return "\(protoType) \(name)"
    }
  }

  private var protoType: String {
    if case .map(let key, let value) = content { return "map<\(key.type), \(value.type)>" }
    if !descriptor.typeName.isEmpty { return String(descriptor.typeName.dropFirst()) }
    return descriptor.kind.map { "\($0)" } ?? ""
  }
}
