/// How one type of the schema is read and written: the namespace conforms, not the Swift type,
/// since `int32`, `sint32` and `sfixed32` are all an `Int32`.
public protocol FieldCoding {
  /// The Swift type of the field.
  associatedtype Value: Hashable, Sendable

  /// How the value is laid out.
  static var wireType: WireType { get }

  /// The value of a field that was never sent.
  static var defaultValue: Value { get }

  /// The bytes of the value without its tag. Nested messages add to the plan.
  static func size(of value: Value, _ plan: inout SizePlan) -> Int

  /// Writes the value without its tag.
  static func write(_ value: Value, to writer: inout WireWriter)

  /// Reads a value, behind its tag, into `value`; a message is merged.
  static func read(_ value: inout Value, from reader: inout WireReader) throws(WireError)
}

/// The coding of a type that isn't a message: its value is read whole and has no nested sizes.
public protocol ScalarCoding: FieldCoding {
  /// The bytes of every value, when they are all the same.
  static var fixedSize: Int? { get }

  /// The bytes of the value without its tag.
  static func size(of value: Value) -> Int

  /// Reads a value, behind its tag.
  static func read(from reader: inout WireReader) throws(WireError) -> Value
}

extension ScalarCoding {
  /// No value has the same size as another.
  @inlinable
  public static var fixedSize: Int? { nil }

  /// The bytes of the value; nothing is added to the plan.
  @inlinable
  public static func size(of value: Value, _ plan: inout SizePlan) -> Int {
    size(of: value)
  }

  /// Replaces the value by the one read.
  @inlinable
  public static func read(
    _ value: inout Value, from reader: inout WireReader
  ) throws(WireError) {
    value = try read(from: &reader)
  }
}
