extension Field {
  /// The fields of a message, by number. Fields of which two have the same Swift name get their
  /// number behind it.
  static func fields(
    of message: MessageDescriptor, named fullName: String, path: [Int32], in types: SchemaTypes
  ) throws(GenerationError) -> [Field] {
    var names: [String: Int] = [:]
    let oneofNames = message.realOneofs.map { SwiftName.lowerCamel(message.oneofs[$0].name) }
    for name in oneofNames { names[name, default: 0] += 1 }
    for field in message.fields { names[SwiftName.lowerCamel(field.name), default: 0] += 1 }
    var fields: [Field] = []
    for (index, descriptor) in message.fields.enumerated() {
      var name = SwiftName.lowerCamel(descriptor.name)
      if names[name, default: 0] > 1 { name += "_\(descriptor.number)" }
      let content = try Content(descriptor, in: types)
      fields.append(
        Field(
          descriptor: descriptor, name: SwiftName.identifier(name), content: content,
          presence: Presence(descriptor, content),
          isRecursive: types.isRecursive(fullName, descriptor.typeName),
          path: path + [2, Int32(index)]))
    }
    return fields.sorted { $0.number < $1.number }
  }
}

extension MessageDescriptor {
  /// The indexes of the oneofs that were written as such: protoc makes one for each `optional` too.
  var realOneofs: [Int] {
    oneofs.indices.filter { index in
      fields.contains { $0.oneofIndex == index && !$0.isProto3Optional }
    }
  }
}

extension Field.Presence {
  init(_ field: FieldDescriptor, _ content: Field.Content) {
    if case .map = content {
      self = .map
    } else if field.isRepeated {
      self = .repeated(packed: content.isPackable && field.options.packed ?? true)
    } else if let index = field.oneofIndex, !field.isProto3Optional {
      self = .oneof(index)
    } else if field.isProto3Optional || field.kind == .message {
      self = .explicit
    } else {
      self = .implicit
    }
  }
}

extension Field.Content {
  init(_ field: FieldDescriptor, in types: SchemaTypes) throws(GenerationError) {
    switch field.kind {
    case .message:
      guard let message = types.messages[field.typeName] else {
        throw GenerationError("field \(field.name): \(field.typeName) is not in the request")
      }
      guard message.descriptor.options.isMapEntry, field.isRepeated else {
        self = .message(type: message.swiftName)
        return
      }
      let entry = message.descriptor.fields
      guard let key = entry.first(where: { $0.number == 1 }),
        let value = entry.first(where: { $0.number == 2 })
      else { throw GenerationError("field \(field.name): a map needs a key and a value") }
      self = .map(key: try Self(key, in: types), value: try Self(value, in: types))
    case .enum:
      guard let name = types.enums[field.typeName] else {
        throw GenerationError("field \(field.name): \(field.typeName) is not in the request")
      }
      self = .enumeration(type: name)
    case .group, nil:
      throw GenerationError("field \(field.name): groups are not part of proto3")
    case .some(let kind):
      self = .scalar(coding: kind.coding, type: kind.type)
    }
  }
}

extension FieldDescriptor.Kind {
  /// The type of `ProtobufWire` that reads and writes a scalar.
  var coding: String {
    switch self {
    case .double: "DoubleCoding"
    case .float: "FloatCoding"
    case .int64: "Int64Coding"
    case .uint64: "UInt64Coding"
    case .int32: "Int32Coding"
    case .fixed64: "Fixed64Coding"
    case .fixed32: "Fixed32Coding"
    case .bool: "BoolCoding"
    case .string: "StringCoding"
    case .bytes: "BytesCoding"
    case .uint32: "UInt32Coding"
    case .sfixed32: "SFixed32Coding"
    case .sfixed64: "SFixed64Coding"
    case .sint32: "SInt32Coding"
    case .sint64: "SInt64Coding"
    case .group, .message, .enum: "MessageCoding"
    }
  }

  /// The Swift type of a scalar.
  var type: String {
    switch self {
    case .double: "Double"
    case .float: "Float"
    case .int64, .sint64, .sfixed64: "Int64"
    case .uint64, .fixed64: "UInt64"
    case .int32, .sint32, .sfixed32: "Int32"
    case .uint32, .fixed32: "UInt32"
    case .bool: "Bool"
    case .string: "String"
    case .bytes: "[UInt8]"
    case .group, .message, .enum: "Message"
    }
  }
}
