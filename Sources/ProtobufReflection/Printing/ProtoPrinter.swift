import ProtobufWire

/// Writes definitions in the language of `.proto` files.
struct ProtoPrinter {
  let pool: DescriptorPool
  private(set) var text = ""
  private var indentation = ""

  init(_ pool: DescriptorPool) {
    self.pool = pool
  }

  mutating func line(_ line: String = "") {
    text += line.isEmpty ? "\n" : indentation + line + "\n"
  }

  /// Writes `header {`, the body and `}`; a body of nothing stays on the line.
  mutating func block(_ header: String, _ body: (inout ProtoPrinter) -> Void) {
    line(header + " {")
    let before = text.utf8.count
    indentation += "  "
    body(&self)
    indentation.removeLast(2)
    if text.utf8.count == before {
      text.removeLast()
      text += "}\n"
    } else {
      line("}")
    }
  }

  /// Writes the comment of an element.
  mutating func comment(_ path: [Int32], in file: FileDefinition) {
    guard let comment = file.proto.comments[path] else { return }
    var lines = comment.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    // Terminals obey control characters, and a comment may come from anybody.
    for content in lines { line("//" + String(content).filter { !$0.isControl }) }
  }

  /// Writes elements with an empty line between.
  mutating func separated(by isFirst: inout Bool) {
    if !isFirst { line() }
    isFirst = false
  }

  // MARK: Messages

  mutating func printMessage(_ message: MessageDefinition) {
    comment(message.path, in: message.file)
    block("message \(message.proto.name)") { printer in
      var isFirst = true
      printer.printOptions(message.proto.options, "MessageOptions", isFirst: &isFirst)
      printer.printFields(of: message, isFirst: &isFirst)
      for nested in message.proto.messages {
        let name = message.fullName + "." + nested.name
        guard let nested = printer.pool.definitions.messages[name], !nested.isMapEntry else {
          continue
        }
        printer.separated(by: &isFirst)
        printer.printMessage(nested)
      }
      for nested in message.proto.enums {
        guard let type = printer.pool.definitions.enums[message.fullName + "." + nested.name]
        else { continue }
        printer.separated(by: &isFirst)
        printer.printEnum(type)
      }
      printer.printReserved(
        message.proto.reservedRanges.map { ($0.start, Int64($0.end) - 1) },
        message.proto.reservedNames, isFirst: &isFirst)
    }
  }

  private mutating func printFields(of message: MessageDefinition, isFirst: inout Bool) {
    var oneofs: Set<Int32> = []
    for field in message.fields {
      guard let oneof = field.proto.oneofIndex, !field.proto.isProto3Optional else {
        separated(by: &isFirst)
        printField(field, of: message)
        continue
      }
      guard oneofs.insert(oneof).inserted else { continue }
      separated(by: &isFirst)
      printOneof(Int(oneof), of: message)
    }
  }

  mutating func printOneof(_ index: Int, of message: MessageDefinition) {
    comment(message.path + [8, Int32(truncatingIfNeeded: index)], in: message.file)
    block("oneof \(message.proto.oneofs[index].name)") { printer in
      var isFirst = true
      for field in message.fields where field.proto.oneofIndex == Int32(index) {
        printer.separated(by: &isFirst)
        printer.printField(field, of: message)
      }
    }
  }

  mutating func printField(_ field: FieldDefinition, of message: MessageDefinition) {
    comment(field.path, in: message.file)
    line(declaration(of: field, isProto3: message.file.isProto3))
  }

  mutating func printExtension(_ field: FieldDefinition) {
    block("extend \(field.proto.extendee.filter { !$0.isControl })") { printer in
      printer.line(printer.declaration(of: field, isProto3: true))
    }
  }

  private func declaration(of field: FieldDefinition, isProto3: Bool) -> String {
    var words = ""
    let map = MessageField(definition: field, pool: pool).map
    if field.proto.label == 3, map == nil { words += "repeated " }
    if field.proto.label == 2 { words += "required " }
    let isPlainOptional = field.proto.label == 1 && !isProto3 && field.proto.oneofIndex == nil
    if field.proto.isProto3Optional || isPlainOptional { words += "optional " }
    if let map {
      words += "map<\(typeName(map.key.definition)), \(typeName(map.value.definition))>"
    } else {
      words += typeName(field)
    }
    words += " \(field.proto.name) = \(field.number)"
    var options = optionTexts(field.proto.options, "FieldOptions")
    if let value = field.proto.defaultValue {
      let isText =
        field.kind == .string || field.kind == .bytes || value.contains(where: \.isControl)
      let text = isText ? TextFormat.quoted(value) : value
      options.insert("default = \(text)", at: 0)
    }
    if field.jsonName != JSONName.lowerCamel(field.proto.name) {
      options.append("json_name = \(TextFormat.quoted(field.jsonName))")
    }
    return words + (options.isEmpty ? "" : " [\(options.joined(separator: ", "))]") + ";"
  }

  private func typeName(_ field: FieldDefinition) -> String {
    field.kind.name.isEmpty ? "." + field.typeName : field.kind.name
  }

  private mutating func printReserved(
    _ ranges: [(Int32, Int64)], _ names: [String], isFirst: inout Bool
  ) {
    if !ranges.isEmpty {
      separated(by: &isFirst)
      let texts = ranges.map { $0.0 == Int32(clamping: $0.1) ? "\($0.0)" : "\($0.0) to \($0.1)" }
      line("reserved \(texts.joined(separator: ", "));")
    }
    if !names.isEmpty {
      separated(by: &isFirst)
      line("reserved \(names.map(TextFormat.quoted).joined(separator: ", "));")
    }
  }

  // MARK: Enumerations

  mutating func printEnum(_ type: EnumDefinition) {
    comment(type.path, in: type.file)
    block("enum \(type.proto.name)") { printer in
      var isFirst = true
      printer.printOptions(type.proto.options, "EnumOptions", isFirst: &isFirst)
      for index in type.proto.values.indices {
        printer.separated(by: &isFirst)
        printer.printValue(index, of: type)
      }
      printer.printReserved(
        type.proto.reservedRanges.map { ($0.start, Int64($0.end)) }, type.proto.reservedNames,
        isFirst: &isFirst)
    }
  }

  mutating func printValue(_ index: Int, of type: EnumDefinition) {
    let value = type.proto.values[index]
    comment(type.path + [2, Int32(truncatingIfNeeded: index)], in: type.file)
    let options = optionTexts(value.options, "EnumValueOptions")
    let suffix = options.isEmpty ? "" : " [\(options.joined(separator: ", "))]"
    line("\(value.name) = \(value.number)\(suffix);")
  }
}
