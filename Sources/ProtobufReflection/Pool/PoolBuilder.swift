import ProtobufWire

/// Collects the types of files, and finds what is wrong with them.
///
/// Descriptors come from servers and files that nobody has checked: nothing in them may lead to a
/// trap here or later.
struct PoolBuilder {
  private(set) var files: [FileDefinition] = []
  private(set) var messages: [String: MessageDefinition] = [:]
  private(set) var enums: [String: EnumDefinition] = [:]
  private(set) var services: [String: ServiceDefinition] = [:]
  /// By the full name of the message that they extend.
  private(set) var extensions: [String: [FieldDefinition]] = [:]
  /// The index of the file in `files` that defines a symbol.
  private(set) var fileOfSymbol: [String: Int] = [:]
  private var names: Set<String> = []

  /// Adds a file; one whose name is there already is left out.
  mutating func add(_ serialized: [UInt8]) throws(DescriptorError) {
    let proto: FileProto
    do throws(WireError) {
      proto = try FileProto(serialized: serialized)
    } catch {
      throw DescriptorError(file: "", reason: "a file descriptor can't be decoded: \(error)")
    }
    guard names.insert(proto.name).inserted else { return }
    let file = FileDefinition(proto, serialized: serialized)
    files.append(file)
    for (index, message) in proto.messages.enumerated() {
      try add(message, scope: proto.package, file, path: [4, Int32(truncatingIfNeeded: index)])
    }
    for (index, type) in proto.enums.enumerated() {
      try add(type, scope: proto.package, file, path: [5, Int32(truncatingIfNeeded: index)])
    }
    for (index, service) in proto.services.enumerated() {
      try add(service, file, path: [6, Int32(truncatingIfNeeded: index)])
    }
    try add(extensions: proto.extensions, scope: proto.package, file, path: [7])
  }

  private mutating func define(_ name: String, in file: FileDefinition) throws(DescriptorError) {
    guard Self.isName(name) else {
      throw DescriptorError(file: file.proto.name, reason: "\(TextFormat.quoted(name)) is no name")
    }
    guard fileOfSymbol.updateValue(files.count - 1, forKey: name) == nil else {
      throw DescriptorError(file: file.proto.name, reason: "\(name) is defined twice")
    }
  }

  private mutating func add(
    _ proto: MessageProto, scope: String, _ file: FileDefinition, path: [Int32]
  ) throws(DescriptorError) {
    let name = Self.join(scope, proto.name)
    try define(name, in: file)
    let options = try Self.options(proto.options, of: name, file)
    var fields: [FieldDefinition] = []
    for (index, field) in proto.fields.enumerated() {
      let path = path + [2, Int32(truncatingIfNeeded: index)]
      let definition = try Self.field(field, scope: name, file, path: path)
      if let oneof = field.oneofIndex, !proto.oneofs.indices.contains(Int(oneof)) {
        throw DescriptorError(
          file: file.proto.name, reason: "\(definition.fullName): there is no oneof \(oneof)")
      }
      if !options.isMapEntry { try define(definition.fullName, in: file) }
      fields.append(definition)
    }
    guard Set(fields.map(\.number)).count == fields.count else {
      throw DescriptorError(file: file.proto.name, reason: "\(name): a number is used twice")
    }
    for oneof in proto.oneofs { try define(Self.join(name, oneof.name), in: file) }
    messages[name] = MessageDefinition(
      proto, fullName: name, file: file, path: path, isMapEntry: options.isMapEntry,
      fields: fields)
    for (index, nested) in proto.messages.enumerated() {
      try add(nested, scope: name, file, path: path + [3, Int32(truncatingIfNeeded: index)])
    }
    for (index, nested) in proto.enums.enumerated() {
      try add(nested, scope: name, file, path: path + [4, Int32(truncatingIfNeeded: index)])
    }
    try add(extensions: proto.extensions, scope: name, file, path: path + [6])
  }

  private mutating func add(
    _ proto: EnumProto, scope: String, _ file: FileDefinition, path: [Int32]
  ) throws(DescriptorError) {
    let name = Self.join(scope, proto.name)
    try define(name, in: file)
    guard !proto.values.isEmpty else {
      throw DescriptorError(file: file.proto.name, reason: "\(name) has no values")
    }
    // The values are in the scope that the enumeration is in.
    for value in proto.values { try define(Self.join(scope, value.name), in: file) }
    enums[name] = EnumDefinition(proto, fullName: name, file: file, path: path)
  }

  private mutating func add(
    _ proto: ServiceProto, _ file: FileDefinition, path: [Int32]
  ) throws(DescriptorError) {
    let name = Self.join(file.proto.package, proto.name)
    try define(name, in: file)
    for method in proto.methods { try define(Self.join(name, method.name), in: file) }
    services[name] = ServiceDefinition(proto, fullName: name, file: file, path: path)
  }

  private mutating func add(
    extensions protos: [FieldProto], scope: String, _ file: FileDefinition, path: [Int32]
  ) throws(DescriptorError) {
    for (index, proto) in protos.enumerated() {
      let field = try Self.field(
        proto, scope: scope, file, path: path + [Int32(truncatingIfNeeded: index)])
      try define(field.fullName, in: file)
      extensions[String(proto.extendee.drop { $0 == "." }), default: []].append(field)
    }
  }

  mutating func keepExtensions(_ kept: [String: [FieldDefinition]]) {
    extensions = kept
  }

  private static func field(
    _ proto: FieldProto, scope: String, _ file: FileDefinition, path: [Int32]
  ) throws(DescriptorError) -> FieldDefinition {
    let name = join(scope, proto.name)
    guard let kind = FieldKind(rawValue: proto.kind) else {
      throw DescriptorError(file: file.proto.name, reason: "\(name): unknown type \(proto.kind)")
    }
    let number = UInt32(bitPattern: proto.number)
    guard number >= 1, number <= WireFormat.maximumFieldNumber else {
      throw DescriptorError(
        file: file.proto.name, reason: "\(name): the number \(proto.number) is not allowed")
    }
    return FieldDefinition(
      proto, fullName: name, kind: kind, number: number,
      options: try options(proto.options, of: name, file), isProto3: file.isProto3, path: path)
  }

  private static func options(
    _ bytes: [UInt8], of name: String, _ file: FileDefinition
  ) throws(DescriptorError) -> KnownOptions {
    do throws(WireError) {
      return try KnownOptions(serialized: bytes)
    } catch {
      throw DescriptorError(
        file: file.proto.name, reason: "\(name): its options can't be decoded: \(error)")
    }
  }

  /// Whether a text is identifiers with dots between. Names are printed, and typed again.
  static func isName(_ text: String) -> Bool {
    text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy {
      part in
      guard let first = part.first, !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= first) else {
        return false
      }
      return part.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
    }
  }

  static func join(_ scope: String, _ name: String) -> String {
    scope.isEmpty ? name : scope + "." + name
  }
}
