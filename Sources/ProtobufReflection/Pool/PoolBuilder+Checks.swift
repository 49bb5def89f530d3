extension PoolBuilder {
  /// Looks for types that are used and not there, and for maps that are none. Extensions of such
  /// types are left out: nothing needs them.
  mutating func check() throws(DescriptorError) {
    keepExtensions(extensions.mapValues { $0.filter(isResolved) })
    for message in messages.values {
      for field in message.fields { try check(field, in: message.file) }
      if message.isMapEntry { try checkMapEntry(message) }
    }
    for service in services.values {
      for method in service.proto.methods {
        for type in [method.inputType, method.outputType] {
          guard messages[String(type.drop { $0 == "." })] != nil else {
            throw DescriptorError(
              file: service.file.proto.name,
              reason: "\(service.fullName).\(method.name): \(missing(type))")
          }
        }
      }
    }
  }

  private func check(
    _ field: FieldDefinition, in file: FileDefinition
  ) throws(DescriptorError) {
    guard isResolved(field) else {
      throw DescriptorError(
        file: file.proto.name, reason: "\(field.fullName): \(missing(field.typeName))")
    }
  }

  private func isResolved(_ field: FieldDefinition) -> Bool {
    switch field.kind {
    case .message, .group: messages[field.typeName] != nil
    case .enumeration: enums[field.typeName] != nil
    default: true
    }
  }

  private func checkMapEntry(_ message: MessageDefinition) throws(DescriptorError) {
    guard let key = message.byNumber[1], message.byNumber[2] != nil,
      message.fields.count == 2, message.fields.allSatisfy({ $0.proto.label != 3 }),
      Self.canBeKey(message.fields[key].kind)
    else {
      throw DescriptorError(
        file: message.file.proto.name, reason: "\(message.fullName) is not a map's entry")
    }
  }

  private static func canBeKey(_ kind: FieldKind) -> Bool {
    switch kind {
    case .double, .float, .bytes, .message, .group, .enumeration: false
    default: true
    }
  }

  private func missing(_ type: String) -> String {
    "the type \(type) is not in the files; add the file that defines it (protoc: --include_imports)"
  }
}
