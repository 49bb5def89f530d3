/// Every type of the files of a request: its name in Swift, and which messages contain which.
struct SchemaTypes {
  /// A message type and what it is called in Swift.
  struct MessageType {
    let descriptor: MessageDescriptor
    let swiftName: String
  }

  /// By full name behind a dot, as `FieldDescriptor.typeName` has it.
  private(set) var messages: [String: MessageType] = [:]
  /// Full names in Swift by full name behind a dot.
  private(set) var enums: [String: String] = [:]
  /// The messages that are stored within a message: singular fields only, since arrays and
  /// dictionaries are memory of their own.
  private var stored: [String: Set<String>] = [:]

  /// Collects the types of files.
  init(_ files: [FileDescriptor]) {
    for file in files {
      let scope = file.package.isEmpty ? "" : "." + file.package
      let prefix = Self.prefix(of: file)
      for message in file.messages { add(message, scope: scope, prefix: prefix) }
      for type in file.enums { add(type, scope: scope, prefix: prefix) }
    }
    for (name, type) in messages {
      stored[name] = Set(type.descriptor.fields.filter { !$0.isRepeated }.map(\.typeName))
    }
  }

  /// What the Swift names of a file's top-level types begin with: its `swift_prefix`, or its
  /// package with underscores: `onside.v1` → `Onside_V1_`.
  static func prefix(of file: FileDescriptor) -> String {
    if let prefix = file.options.swiftPrefix { return prefix }
    return file.package.split(separator: ".").map { SwiftName.upperCamel(String($0)) + "_" }
      .joined()
  }

  /// Whether a value of the message `inner` may hold one of `outer`, so that a field of `outer`
  /// with this type can't be stored within it.
  func isRecursive(_ outer: String, _ inner: String) -> Bool {
    var seen: Set<String> = []
    var waiting = [inner]
    while let name = waiting.popLast() {
      if name == outer { return true }
      if !seen.insert(name).inserted { continue }
      waiting.append(contentsOf: stored[name] ?? [])
    }
    return false
  }

  private mutating func add(_ message: MessageDescriptor, scope: String, prefix: String) {
    let name = scope + "." + message.name
    let swiftName = prefix + Self.typeName(message.name, prefix: prefix)
    messages[name] = MessageType(descriptor: message, swiftName: swiftName)
    for nested in message.messages { add(nested, scope: name, prefix: swiftName + ".") }
    for nested in message.enums { add(nested, scope: name, prefix: swiftName + ".") }
  }

  private mutating func add(_ type: EnumDescriptor, scope: String, prefix: String) {
    enums[scope + "." + type.name] = prefix + Self.typeName(type.name, prefix: prefix)
  }

  /// The name behind the prefix; changed only where the prefix doesn't make it unlike Swift's own.
  static func typeName(_ name: String, prefix: String) -> String {
    prefix.isEmpty || prefix.hasSuffix(".") ? SwiftName.type(name) : name
  }
}
