/// What a symbol is, in the language of `.proto` files.
public struct SymbolDescription: Sendable, Hashable {
  /// The full name.
  public let name: String

  /// `a service`, `a method`, `a message`, `a field`, `a oneof`, `an enumeration`,
  /// `a value of an enumeration` or `an extension`.
  public let kind: String

  /// The definition, with its comments. Types have their full names behind a dot, as `protoc` takes
  /// them anywhere.
  public let definition: String

  /// `NAME is KIND:` and the definition, ending with a line's end.
  public var text: String { "\(name) is \(kind):\n\(definition)" }
}

extension DescriptorPool {
  /// Describes a service, method, message, field, oneof, enumeration, value or extension.
  ///
  /// - Parameter symbol: The full name.
  /// - Returns: nil when the pool has no such symbol.
  public func describe(_ symbol: String) -> SymbolDescription? {
    var printer = ProtoPrinter(self)
    guard let kind = printer.printSymbol(symbol) else { return nil }
    return SymbolDescription(name: symbol, kind: kind, definition: printer.text)
  }
}

extension ProtoPrinter {
  /// Prints a symbol; nil when there is none of this name.
  fileprivate mutating func printSymbol(_ symbol: String) -> String? {
    if let message = pool.definitions.messages[symbol] {
      printMessage(message)
      return "a message"
    }
    if let type = pool.definitions.enums[symbol] {
      printEnum(type)
      return "an enumeration"
    }
    if let service = pool.service(named: symbol) {
      printService(service)
      return "a service"
    }
    for fields in pool.definitions.extensions.values {
      for field in fields where field.fullName == symbol {
        printExtension(field)
        return "an extension"
      }
    }
    guard let dot = symbol.lastIndex(of: ".") else { return nil }
    let scope = String(symbol[..<dot])
    return printMember(String(symbol[symbol.index(after: dot)...]), of: scope)
  }

  /// Prints what is defined within a service, message or enumeration.
  private mutating func printMember(_ name: String, of scope: String) -> String? {
    if let method = pool.service(named: scope)?.method(named: name) {
      printMethod(method)
      return "a method"
    }
    if let message = pool.definitions.messages[scope] {
      if let field = message.fields.first(where: { $0.proto.name == name }) {
        printField(field, of: message)
        return "a field"
      }
      if let index = message.proto.oneofs.firstIndex(where: { $0.name == name }) {
        printOneof(index, of: message)
        return "a oneof"
      }
    }
    // Values are in the scope that their enumeration is in.
    for type in pool.definitions.enums.values {
      guard let value = type.proto.values.firstIndex(where: { $0.name == name }),
        type.fullName == scope + "." + type.proto.name
      else { continue }
      printValue(value, of: type)
      return "a value of an enumeration"
    }
    return nil
  }
}
