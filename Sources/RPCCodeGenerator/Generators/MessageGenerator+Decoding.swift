extension MessageGenerator {
  /// Writes the function that reads fields. Its `switch` is over whole tags, so that a field with
  /// another wire type than the schema's is an unknown one.
  func writeMerge(to source: inout SourceText) {
    source.line()
    source.line("/// Reads fields up to the reader's limit into this value.")
    source.block(
      "\(file.options.visibility) mutating func merge(from reader: inout WireReader) "
        + "throws(WireError)"
    ) { source in
      source.block("while true") { source in
        source.line("let tag = try reader.readTag()")
        source.line("switch tag {")
        source.line("case 0: return")
        for field in fields { writeCases(of: field, to: &source) }
        source.line("default: try reader.readUnknown(tag, into: &self.unknownFields)")
        source.line("}")
      }
    }
  }

  private func writeCases(of field: Field, to source: inout SourceText) {
    let tag = field.number << 3 | field.content.wireType
    switch (field.presence, field.content) {
    case (.map, .map(let key, let value)):
      source.line("case \(tag):")
      source.line(
        "  try reader.readMapEntry(into: &self.\(field.name), key: \(key.coding).self, "
          + "value: \(value.coding).self)")
    case (.repeated, .message):
      source.line("case \(tag): try reader.readMessage(appendingTo: &self.\(field.name))")
    case (.repeated, let content):
      let coding = "\(content.coding).self"
      source.line("case \(tag): try reader.readRepeated(into: &self.\(field.name), as: \(coding))")
      if content.isPackable {
        let packedTag = field.number << 3 | 2
        source.line(
          "case \(packedTag): try reader.readPacked(into: &self.\(field.name), as: \(coding))")
      }
    case (.oneof(let index), .message):
      guard let oneof = oneofs.first(where: { $0.index == index }) else { return }
      source.line("case \(tag):")
      source.indented { writeMerge(of: field, in: oneof, to: &$0) }
    case (.oneof(let index), let content):
      guard let oneof = oneofs.first(where: { $0.index == index }) else { return }
      source.line("case \(tag): self.\(oneof.name) = .\(field.name)(\(content.readExpression))")
    case (_, .message):
      source.line("case \(tag): try reader.readMessage(into: &self.\(field.storage))")
    case (_, let content):
      source.line("case \(tag): self.\(field.name) = \(content.readExpression)")
    }
  }

  /// A message in a oneof is merged with what is there, which is taken out meanwhile: a copy would
  /// share its arrays with the original and copy them on every append.
  private func writeMerge(of field: Field, in oneof: Oneof, to source: inout SourceText) {
    source.line("var value = \(field.content.defaultValue)")
    source.line("if case .\(field.name)(let earlier)? = self.\(oneof.name) { value = earlier }")
    source.line("self.\(oneof.name) = nil")
    if field.isRecursive { source.line("try reader.chargeBox(of: \(field.content.type).self)") }
    source.line("try reader.readMessage(into: &value)")
    source.line("self.\(oneof.name) = .\(field.name)(value)")
  }
}

extension Field.Content {
  /// Reads a value that isn't a message.
  var readExpression: String {
    switch self {
    case .scalar(_, "String"): "try reader.readString()"
    case .scalar(_, "[UInt8]"): "try reader.readBytes()"
    default: "try reader.read(as: \(coding).self)"
    }
  }
}
