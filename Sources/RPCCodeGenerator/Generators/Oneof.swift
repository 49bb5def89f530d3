import ProtobufWire

/// A oneof: an enum with a case for each of its fields.
struct Oneof {
  /// The index within the message.
  let index: Int
  let protoName: String
  /// The identifier of the property.
  let name: String
  /// The name of the enum, nested in the message.
  let typeName: String
  /// By number.
  let fields: [Field]
  let path: [Int32]

  /// The oneofs of a message.
  static func oneofs(
    of message: MessageDescriptor, fields: [Field], path: [Int32]
  ) -> [Oneof] {
    let nested = Set(message.messages.map(\.name) + message.enums.map(\.name))
    return message.realOneofs.map { index in
      let protoName = message.oneofs[index].name
      let upper = SwiftName.upperCamel(protoName)
      return Oneof(
        index: index, protoName: protoName,
        name: SwiftName.identifier(SwiftName.lowerCamel(protoName)),
        typeName: nested.contains(upper) ? upper + "Oneof" : SwiftName.type(upper),
        fields: fields.filter { field in
          if case .oneof(index) = field.presence { return true }
          return false
        }, path: path + [8, Int32(index)])
    }
  }

  /// Writes the enum.
  func writeType(to source: inout SourceText, file: FileContext) {
    source.line()
    source.documentation(file.comments[path], fallback: "The fields of `oneof \(protoName)`.")
    source.block("\(file.options.visibility) enum \(typeName): Sendable, Hashable") { source in
      for field in fields {
        source.documentation(file.comments[field.path], fallback: "`\(field.declaration)`.")
        let keyword = field.isRecursive ? "indirect case" : "case"
        source.line("\(keyword) \(field.name)(\(field.content.type))")
      }
    }
  }

  /// Writes a property for each field, which is nil unless that is the one that is set.
  func writeAccessors(to source: inout SourceText, file: FileContext) {
    for field in fields {
      source.line()
      source.documentation(file.comments[field.path], fallback: "`\(field.declaration)`.")
      source.block("\(file.options.visibility) var \(field.name): \(field.type)") { source in
        let property = "self.\(name)"
        source.block("get") { source in
          source.line("guard case .\(field.name)(let value)? = \(property) else { return nil }")
          source.line("return value")
        }
        source.block("set") { source in
          source.line("if let newValue {")
          source.line("  \(property) = .\(field.name)(newValue)")
          source.line("} else if case .\(field.name)? = \(property) {")
          source.line("  \(property) = nil")
          source.line("}")
        }
      }
    }
  }
}
