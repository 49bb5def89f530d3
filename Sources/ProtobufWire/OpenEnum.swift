/// An enumeration of a schema. Its set of values is open: a newer peer may send numbers that this
/// program has no name for, and they are kept.
public protocol OpenEnum: RawRepresentable, Hashable, Sendable, CustomStringConvertible
where RawValue == Int32 {
  /// The value with this number, named or not.
  init(rawValue: Int32)

  /// The full name in the schema: "onside.v1.ProfileKind".
  static var protoName: String { get }

  /// The values that the schema names, in its order; the first is the default. An alias comes
  /// behind the name that it repeats.
  static var names: [(number: Int32, name: StaticString)] { get }
}

extension OpenEnum {
  /// The value's name in the schema, "PROFILE_KIND_EXTERNAL"; nil when the schema has none.
  public var name: String? {
    for (number, name) in Self.names where number == rawValue {
      return name.description
    }
    return nil
  }

  /// The value with this name in the schema; nil when there is none.
  public init?(name: String) {
    for entry in Self.names where entry.name.description == name {
      self.init(rawValue: entry.number)
      return
    }
    return nil
  }

  /// The name in the schema, else the number.
  public var description: String { name ?? String(rawValue) }
}
