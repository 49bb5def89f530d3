import ProtobufWire

/// Writes an enumeration: a struct around the number, with a static property for each named value.
struct EnumGenerator {
  let descriptor: EnumDescriptor
  /// The full name in the schema, without a dot before it.
  let protoName: String
  /// The name within the type or file that it is in.
  let swiftName: String
  let path: [Int32]
  let file: FileContext

  func write(to source: inout SourceText) {
    let visibility = file.options.visibility
    let inlinable = visibility == "public" ? "@inlinable " : ""
    source.documentation(file.comments[path], fallback: "The enumeration `\(protoName)`.")
    source.block("\(visibility) struct \(swiftName): OpenEnum") { source in
      source.line("/// The number on the wire.")
      source.line("\(visibility) let rawValue: Int32")
      source.line()
      source.line("/// The value with this number, named or not.")
      source.block("\(inlinable)\(visibility) init(rawValue: Int32)") { source in
        source.line("self.rawValue = rawValue")
      }
      for value in values() {
        source.line()
        source.documentation(
          file.comments[value.path], fallback: "`\(value.protoName) = \(value.number)`.")
        source.line(
          "\(inlinable)\(visibility) static var \(value.name): Self "
            + "{ Self(rawValue: \(value.number)) }")
      }
      source.line()
      source.line("/// The full name in the schema.")
      source.line("\(visibility) static var protoName: String { \"\(protoName)\" }")
      source.line()
      source.line("/// The names that the schema has.")
      source.line("\(visibility) static let names: [(number: Int32, name: StaticString)] = [")
      source.indented { source in
        for value in descriptor.values { source.line("(\(value.number), \"\(value.name)\"),") }
      }
      source.line("]")
    }
  }

  private struct Value {
    let name: String
    let protoName: String
    let number: Int32
    let path: [Int32]
  }

  /// The values with their Swift names: without the enumeration's name before them, if all have it.
  private func values() -> [Value] {
    let prefix = SwiftName.valuePrefix(descriptor.name)
    let strips = descriptor.values.allSatisfy { value in
      value.name.hasPrefix(prefix) && value.name.count > prefix.count
    }
    var numbers: [String: Int32] = [:]
    var values: [Value] = []
    for (index, value) in descriptor.values.enumerated() {
      let short = strips ? String(value.name.dropFirst(prefix.count)) : value.name
      var name = SwiftName.lowerCamel(short)
      if let number = numbers[name] {
        // An alias that differs only in its spelling needs no property of its own.
        if number == value.number { continue }
        name += "_\(value.number < 0 ? "minus" : "")\(value.number.magnitude)"
      }
      numbers[name] = value.number
      let identifier =
        SwiftName.unusableValues.contains(name) ? name + "_" : SwiftName.identifier(name)
      values.append(
        Value(
          name: identifier, protoName: value.name, number: value.number,
          path: path + [2, Int32(index)]))
    }
    return values
  }
}

/// What the generators of a file's types share.
struct FileContext {
  let options: GeneratorOptions
  let types: SchemaTypes
  let comments: SourceComments
}
