import ProtobufWire

/// Writes a message: the struct with its nested types.
struct MessageGenerator {
  let descriptor: MessageDescriptor
  /// The full name in the schema, without a dot before it.
  let protoName: String
  /// The name within the type or file that it is in.
  let swiftName: String
  let path: [Int32]
  let file: FileContext
  /// By number.
  let fields: [Field]
  let oneofs: [Oneof]

  init(
    _ descriptor: MessageDescriptor, protoName: String, swiftName: String, path: [Int32],
    file: FileContext
  ) throws(GenerationError) {
    self.descriptor = descriptor
    self.protoName = protoName
    self.swiftName = swiftName
    self.path = path
    self.file = file
    fields = try Field.fields(
      of: descriptor, named: "." + protoName, path: path, in: file.types)
    oneofs = Oneof.oneofs(of: descriptor, fields: fields, path: path)
  }

  private var visibility: String { file.options.visibility }

  /// Writes the struct, and the codec's functions within it.
  func write(to source: inout SourceText) throws(GenerationError) {
    let nested = try nestedMessages()
    source.documentation(file.comments[path], fallback: "The message `\(protoName)`.")
    source.block("\(visibility) struct \(swiftName): Message, Hashable") { source in
      writeProperties(to: &source)
      for oneof in oneofs { oneof.writeType(to: &source, file: file) }
      for message in nested {
        source.line()
        source.text(message)
      }
      writeNestedEnums(to: &source)
      writeInitializers(to: &source)
      for field in fields where field.isBoxed { writeBoxed(field, to: &source) }
      for oneof in oneofs { oneof.writeAccessors(to: &source, file: file) }
      source.line()
      source.line("/// The full name in the schema.")
      source.line("\(visibility) static var protoName: String { \"\(protoName)\" }")
      writeSize(to: &source)
      writeEncode(to: &source)
      writeMerge(to: &source)
    }
  }

  /// Made first, since a closure that writes can't throw.
  private func nestedMessages() throws(GenerationError) -> [String] {
    var texts: [String] = []
    for (index, message) in descriptor.messages.enumerated() where !message.options.isMapEntry {
      let generator = try MessageGenerator(
        message, protoName: protoName + "." + message.name,
        swiftName: SwiftName.type(message.name), path: path + [3, Int32(index)], file: file)
      var source = SourceText()
      try generator.write(to: &source)
      texts.append(source.text)
    }
    return texts
  }

  private func writeNestedEnums(to source: inout SourceText) {
    for (index, type) in descriptor.enums.enumerated() {
      source.line()
      EnumGenerator(
        descriptor: type, protoName: protoName + "." + type.name,
        swiftName: SwiftName.type(type.name), path: path + [4, Int32(index)], file: file
      ).write(to: &source)
    }
  }

  /// The stored properties, in the order of the schema's numbers; a oneof stands at its first
  /// field.
  private func writeProperties(to source: inout SourceText) {
    for member in members {
      switch member {
      case .field(let field) where field.isBoxed:
        source.line("private var \(field.storage): Indirect<\(field.content.type)>?")
      case .field(let field):
        source.documentation(file.comments[field.path], fallback: "`\(field.declaration)`.")
        source.line("\(visibility) var \(field.name): \(field.type) = \(field.defaultValue)")
      case .oneof(let oneof):
        source.documentation(
          file.comments[oneof.path], fallback: "`oneof \(oneof.protoName)`; nil when it isn't set.")
        source.line("\(visibility) var \(oneof.name): \(oneof.typeName)? = nil")
      }
      source.line()
    }
    source.line("/// What was read and isn't in the schema.")
    source.line("\(visibility) var unknownFields = UnknownFields()")
  }

  private func writeInitializers(to source: inout SourceText) {
    source.line()
    source.line("/// A message in which every field has its default value.")
    source.line("\(visibility) init() {}")
    guard !members.isEmpty else { return }
    source.line()
    source.line("/// A message with these fields; those not given have their default values.")
    source.line("\(visibility) init(")
    source.indented { source in
      for (index, member) in members.enumerated() {
        let end = index == members.count - 1 ? "" : ","
        source.line("\(member.name): \(member.type) = \(member.defaultValue)\(end)")
      }
    }
    source.block(")") { source in
      for member in members { source.line("self.\(member.name) = \(member.name)") }
    }
  }

  /// A field of the message's own type: a property around its box.
  private func writeBoxed(_ field: Field, to source: inout SourceText) {
    source.line()
    source.documentation(file.comments[field.path], fallback: "`\(field.declaration)`.")
    source.block("\(visibility) var \(field.name): \(field.type)") { source in
      source.line("get { self.\(field.storage)?.value }")
      source.line("set { self.\(field.storage) = newValue.map { Indirect($0) } }")
    }
  }
}

extension SourceText {
  /// Writes lines that were made elsewhere, at this indentation.
  mutating func text(_ text: String) {
    for part in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      line(String(part))
    }
  }
}
