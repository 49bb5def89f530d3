/// An enumeration of a pool.
public struct EnumType: Sendable {
  let definition: EnumDefinition
  let pool: DescriptorPool

  /// The full name: `onside.v1.ProfileKind`.
  public var fullName: String { definition.fullName }

  /// The number of a value's name; nil when there is none.
  public func number(of name: String) -> Int32? { definition.byName[name] }

  /// The first name of a number; nil when there is none.
  public func name(of number: Int32) -> String? { definition.byNumber[number] }

  /// Numbers without a name are unknown fields, as in proto2.
  var isClosed: Bool { !definition.file.isProto3 }

  /// The value of a field that was never set.
  var defaultNumber: Int32 { definition.proto.values.first?.number ?? 0 }
}
