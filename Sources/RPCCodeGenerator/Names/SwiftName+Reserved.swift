extension SwiftName {
  /// Members that every message or value has, and names that Swift gives a meaning behind a dot.
  static let unusableMembers: Set<String> = [
    "Protocol", "Self", "Type", "hashValue", "init", "protoName", "self", "unknownFields",
  ]

  /// Static members that mean something else for an enumeration, or for an optional one.
  static let unusableValues: Set<String> = ["names", "none"]

  /// Types that generated code names without saying their module.
  static let usedTypes: Set<String> = [
    "Any", "AnyObject", "Array", "Bool", "BoolCoding", "BytesCoding", "CallInvoker", "CallOptions",
    "Dictionary", "Double", "DoubleCoding", "EnumCoding", "Fixed32Coding", "Fixed64Coding",
    "Float", "FloatCoding", "Hashable", "Indirect", "Int", "Int32", "Int32Coding", "Int64",
    "Int64Coding", "Message", "MessageCoding", "MethodDescriptor", "MethodRegistry", "OpenEnum",
    "Optional", "ProtobufWire", "Protocol", "RPC", "RPCError", "RPCService", "SFixed32Coding",
    "SFixed64Coding", "SInt32Coding", "SInt64Coding", "Self", "Sendable", "ServerContext",
    "ServiceDescriptor", "SizePlan", "StaticString", "String", "StringCoding", "Type", "UInt32",
    "UInt32Coding", "UInt64", "UInt64Coding", "UInt8", "UnknownFields", "WireError", "WireReader",
    "WireWriter",
  ]

  /// The keywords of Swift that can't be identifiers without backticks. Source: The Swift
  /// Programming Language, "Lexical Structure".
  static let keywords: Set<String> = [
    "Any", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue",
    "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false",
    "fileprivate", "for", "func", "guard", "if", "import", "in", "inout", "internal", "is", "let",
    "nil", "open", "operator", "precedencegroup", "private", "protocol", "public", "repeat",
    "rethrows", "return", "static", "struct", "subscript", "super", "switch", "throw", "throws",
    "true", "try", "typealias", "var", "where", "while",
  ]
}
