/// Writes the constant that holds a `.proto` file for reflection.
struct ProtoFileGenerator {
  /// The path of the `.proto` file.
  let name: String
  /// The imported files whose constants are generated in the same run.
  let dependencies: [String]
  /// The serialized descriptor.
  let descriptor: [UInt8]
  let visibility: String

  /// The constant of a file: `onside/v1/login.proto` → `onsideV1Login`.
  static func constant(_ name: String) -> String {
    let suffix = ".proto"
    let stem = name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name
    let words = stem.map { $0.isLetter || $0.isNumber ? $0 : "_" }
    return SwiftName.identifier(SwiftName.lowerCamel(String(words)))
  }

  func write(to source: inout SourceText) {
    source.block("extension ProtoFile") { source in
      source.line("/// `\(name)`, as reflection hands it out.")
      source.line("\(visibility) static let \(Self.constant(name)) = ProtoFile(")
      source.line("  name: \"\(name)\",")
      let names = dependencies.map { "." + Self.constant($0) }.joined(separator: ", ")
      source.line("  dependencies: [\(names)],")
      source.line("  descriptor: \"\"\"")
      for line in literalLines() { source.line("    " + line) }
      source.line("    \"\"\")")
    }
  }

  /// The lines of a literal with a scalar for each byte. All but the last end with a backslash,
  /// which takes the line's end out of the text.
  private func literalLines() -> [String] {
    var lines: [String] = []
    var line = ""
    for byte in descriptor {
      if line.utf8.count > 80 {
        lines.append(line + "\\")
        line = ""
      }
      line += Self.literal(byte)
    }
    return lines + [line]
  }

  private static func literal(_ byte: UInt8) -> String {
    switch byte {
    case UInt8(ascii: "\""): "\\\""
    case UInt8(ascii: "\\"): "\\\\"
    case UInt8(ascii: "\n"): "\\n"
    case 0: "\\0"
    case 0x20..<0x7f: String(UnicodeScalar(byte))
    default: "\\u{\(String(byte, radix: 16))}"
    }
  }
}
