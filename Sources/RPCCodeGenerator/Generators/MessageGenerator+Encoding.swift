extension MessageGenerator {
  // Properties are named with `self.`, since a field may be called like a parameter.

  /// Writes the size pass.
  func writeSize(to source: inout SourceText) {
    source.line()
    source.line("/// The bytes on the wire; adds the sizes of nested messages to `plan`.")
    let header = "\(file.options.visibility) func encodedSize(_ plan: inout SizePlan) -> Int"
    source.block(header) { source in
      guard !fields.isEmpty else {
        source.line("self.unknownFields.encodedSize")
        return
      }
      source.line("var size = self.unknownFields.encodedSize")
      for step in steps { write(step, to: &source) { $0.sizeStatement($1) } }
      source.line("return size")
    }
  }

  /// Writes the encoding pass, which has to visit nested messages in the order of the size pass.
  func writeEncode(to source: inout SourceText) {
    source.line()
    source.line("/// Writes the fields.")
    source.block("\(file.options.visibility) func encode(into writer: inout WireWriter)") {
      for step in steps { write(step, to: &$0) { $0.encodeStatement($1) } }
      $0.line("writer.write(self.unknownFields)")
    }
  }

  /// What is encoded at once: a field, or fields of a oneof whose numbers nothing else stands
  /// between.
  private enum Step {
    case field(Field)
    case choice(Oneof, [Field])
  }

  private var steps: [Step] {
    var steps: [Step] = []
    for field in fields {
      guard case .oneof(let index) = field.presence,
        let oneof = oneofs.first(where: { $0.index == index })
      else {
        steps.append(.field(field))
        continue
      }
      if case .choice(let last, let cases)? = steps.last, last.index == index {
        steps[steps.count - 1] = .choice(oneof, cases + [field])
      } else {
        steps.append(.choice(oneof, [field]))
      }
    }
    return steps
  }

  private func write(
    _ step: Step, to source: inout SourceText, statement: (Field, String) -> String
  ) {
    switch step {
    case .field(let field):
      write(field, to: &source, statement: statement)
    case .choice(let oneof, let cases):
      source.line("switch self.\(oneof.name) {")
      for field in cases {
        source.line("case .\(field.name)(let value)?: \(statement(field, "value"))")
      }
      source.line(cases.count == oneof.fields.count ? "case nil: break" : "default: break")
      source.line("}")
    }
  }

  private func write(
    _ field: Field, to source: inout SourceText, statement: (Field, String) -> String
  ) {
    switch field.presence {
    case .implicit:
      let value = "self.\(field.name)"
      source.line("if \(field.content.isSet(value)) { \(statement(field, value)) }")
    case .explicit where field.isBoxed:
      source.line("if let box = self.\(field.storage) { \(statement(field, "box.value")) }")
    case .explicit:
      source.line("if let value = self.\(field.name) { \(statement(field, "value")) }")
    case .repeated, .map, .oneof:
      source.line(statement(field, "self.\(field.name)"))
    }
  }
}

extension Field {
  /// Adds the bytes of a value of this field to `size`.
  func sizeStatement(_ value: String) -> String {
    switch (presence, content) {
    case (.map, .map(let key, let entry)):
      return "size += plan.mapSize(\(value), key: \(key.coding).self, "
        + "value: \(entry.coding).self, tagSize: \(tagSize))"
    case (.repeated, .message):
      return "size += plan.messagesSize(\(value), tagSize: \(tagSize))"
    case (.repeated(let packed), _):
      let function = packed ? "packedSize" : "repeatedSize"
      return "size += plan.\(function)(\(value), as: \(content.coding).self, tagSize: \(tagSize))"
    case (_, .message):
      return "size += \(tagSize) + plan.messageSize(\(value))"
    default:
      return "size += \(tagSize) + \(content.coding).size(of: \(value))"
    }
  }

  /// Writes a value of this field with its tag.
  func encodeStatement(_ value: String) -> String {
    switch (presence, content) {
    case (.map, .map(let key, let entry)):
      return "writer.writeMap(\(value), key: \(key.coding).self, "
        + "value: \(entry.coding).self, tag: \(tag))"
    case (.repeated, .message):
      return "writer.writeMessages(\(value), tag: \(tag))"
    case (.repeated(let packed), _):
      let function = packed ? "writePacked" : "writeRepeated"
      return "writer.\(function)(\(value), as: \(content.coding).self, tag: \(tag))"
    case (_, .message):
      return "writer.writeMessage(\(value), tag: \(tag))"
    default:
      return "writer.write(\(value), as: \(content.coding).self, tag: \(tag))"
    }
  }
}
