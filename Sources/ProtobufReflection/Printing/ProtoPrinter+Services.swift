import ProtobufWire

extension ProtoPrinter {
  mutating func printService(_ service: ServiceType) {
    comment(service.definition.path, in: service.definition.file)
    block("service \(service.definition.proto.name)") { printer in
      var isFirst = true
      printer.printOptions(service.definition.proto.options, "ServiceOptions", isFirst: &isFirst)
      for method in service.methods {
        printer.separated(by: &isFirst)
        printer.printMethod(method)
      }
    }
  }

  mutating func printMethod(_ method: ServiceMethod) {
    let service = method.service.definition
    comment(service.path + [2, Int32(truncatingIfNeeded: method.index)], in: service.file)
    let input = (method.isClientStreaming ? "stream ." : ".") + method.input.fullName
    let output = (method.isServerStreaming ? "stream ." : ".") + method.output.fullName
    let header = "rpc \(method.name) ( \(input) ) returns ( \(output) )"
    let options = optionTexts(method.proto.options, "MethodOptions")
    guard !options.isEmpty else { return line(header + ";") }
    block(header) { printer in
      for option in options { printer.line("option \(option);") }
    }
  }

  /// Writes each option on a line of its own.
  mutating func printOptions(_ bytes: [UInt8], _ type: String, isFirst: inout Bool) {
    for option in optionTexts(bytes, type) {
      separated(by: &isFirst)
      line("option \(option);")
    }
  }

  /// The options as `name = value`: those of `descriptor.proto`, then the extensions that the pool
  /// knows; others are left out.
  func optionTexts(_ bytes: [UInt8], _ type: String) -> [String] {
    guard !bytes.isEmpty,
      let known = Self.descriptorTypes?.message(named: "google.protobuf." + type),
      let options = try? DynamicMessage(serialized: bytes, as: known)
    else { return [] }
    var texts = TextFormat.fields(of: options).map { "\($0.name) = \($0.value)" }
    let extensions = pool.definitions.extensions[known.fullName] ?? []
    guard !extensions.isEmpty, !options.unknownFields.isEmpty else { return texts }
    // A type whose fields are the extensions reads what the options' own type doesn't know.
    let type = MessageType(
      definition: MessageDefinition(
        MessageProto(), fullName: known.fullName, file: known.definition.file, path: [],
        isMapEntry: false, fields: extensions),
      pool: pool)
    guard
      let extended = try? DynamicMessage(serialized: options.unknownFields.bytes, as: type)
    else { return texts }
    for (name, value) in TextFormat.fields(of: extended) {
      let field = type.field(named: name)
      texts.append("(\(field?.definition.fullName ?? name)) = \(value)")
    }
    return texts
  }

  private static let descriptorTypes = try? DescriptorPool([.googleProtobufDescriptor])
}
