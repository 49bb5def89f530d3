// The codings of the schema's integers, booleans and enumerations that are varints.

/// `int32`: a negative value takes 10 bytes; more than 32 bits are cut off.
public enum Int32Coding: ScalarCoding {
  /// `.varint`.
  @inlinable public static var wireType: WireType { .varint }

  /// Zero.
  @inlinable public static var defaultValue: Int32 { 0 }

  /// 1 to 5, and 10 for a negative value.
  @inlinable
  public static func size(of value: Int32) -> Int {
    WireFormat.varintSize(UInt64(bitPattern: Int64(value)))
  }

  /// Writes the value.
  @inlinable
  public static func write(_ value: Int32, to writer: inout WireWriter) {
    writer.writeVarint(UInt64(bitPattern: Int64(value)))
  }

  /// Reads a value.
  @inlinable
  public static func read(from reader: inout WireReader) throws(WireError) -> Int32 {
    Int32(truncatingIfNeeded: try reader.readVarint())
  }
}

/// `int64`: a negative value takes 10 bytes.
public enum Int64Coding: ScalarCoding {
  /// `.varint`.
  @inlinable public static var wireType: WireType { .varint }

  /// Zero.
  @inlinable public static var defaultValue: Int64 { 0 }

  /// 1 to 10.
  @inlinable
  public static func size(of value: Int64) -> Int {
    WireFormat.varintSize(UInt64(bitPattern: value))
  }

  /// Writes the value.
  @inlinable
  public static func write(_ value: Int64, to writer: inout WireWriter) {
    writer.writeVarint(UInt64(bitPattern: value))
  }

  /// Reads a value.
  @inlinable
  public static func read(from reader: inout WireReader) throws(WireError) -> Int64 {
    Int64(bitPattern: try reader.readVarint())
  }
}

/// `uint32`: more than 32 bits are cut off.
public enum UInt32Coding: ScalarCoding {
  /// `.varint`.
  @inlinable public static var wireType: WireType { .varint }

  /// Zero.
  @inlinable public static var defaultValue: UInt32 { 0 }

  /// 1 to 5.
  @inlinable
  public static func size(of value: UInt32) -> Int {
    WireFormat.varintSize(value)
  }

  /// Writes the value.
  @inlinable
  public static func write(_ value: UInt32, to writer: inout WireWriter) {
    writer.writeVarint(UInt64(value))
  }

  /// Reads a value.
  @inlinable
  public static func read(from reader: inout WireReader) throws(WireError) -> UInt32 {
    UInt32(truncatingIfNeeded: try reader.readVarint())
  }
}

/// `uint64`: a varint.
public enum UInt64Coding: ScalarCoding {
  /// `.varint`.
  @inlinable public static var wireType: WireType { .varint }

  /// Zero.
  @inlinable public static var defaultValue: UInt64 { 0 }

  /// 1 to 10.
  @inlinable
  public static func size(of value: UInt64) -> Int {
    WireFormat.varintSize(value)
  }

  /// Writes the value.
  @inlinable
  public static func write(_ value: UInt64, to writer: inout WireWriter) {
    writer.writeVarint(value)
  }

  /// Reads a value.
  @inlinable
  public static func read(from reader: inout WireReader) throws(WireError) -> UInt64 {
    try reader.readVarint()
  }
}

/// `sint32`: small for small negative values; more than 32 bits are cut off.
public enum SInt32Coding: ScalarCoding {
  /// `.varint`.
  @inlinable public static var wireType: WireType { .varint }

  /// Zero.
  @inlinable public static var defaultValue: Int32 { 0 }

  /// 1 to 5.
  @inlinable
  public static func size(of value: Int32) -> Int {
    WireFormat.varintSize(WireFormat.zigZag(value))
  }

  /// Writes the value.
  @inlinable
  public static func write(_ value: Int32, to writer: inout WireWriter) {
    writer.writeVarint(UInt64(WireFormat.zigZag(value)))
  }

  /// Reads a value.
  @inlinable
  public static func read(from reader: inout WireReader) throws(WireError) -> Int32 {
    WireFormat.unzigZag(UInt32(truncatingIfNeeded: try reader.readVarint()))
  }
}

/// `sint64`: small for small negative values.
public enum SInt64Coding: ScalarCoding {
  /// `.varint`.
  @inlinable public static var wireType: WireType { .varint }

  /// Zero.
  @inlinable public static var defaultValue: Int64 { 0 }

  /// 1 to 10.
  @inlinable
  public static func size(of value: Int64) -> Int {
    WireFormat.varintSize(WireFormat.zigZag(value))
  }

  /// Writes the value.
  @inlinable
  public static func write(_ value: Int64, to writer: inout WireWriter) {
    writer.writeVarint(WireFormat.zigZag(value))
  }

  /// Reads a value.
  @inlinable
  public static func read(from reader: inout WireReader) throws(WireError) -> Int64 {
    WireFormat.unzigZag(try reader.readVarint())
  }
}

/// `bool`: every number but 0 is true.
public enum BoolCoding: ScalarCoding {
  /// `.varint`.
  @inlinable public static var wireType: WireType { .varint }

  /// False.
  @inlinable public static var defaultValue: Bool { false }

  /// Always 1.
  @inlinable
  public static func size(of value: Bool) -> Int {
    1
  }

  /// Writes the value.
  @inlinable
  public static func write(_ value: Bool, to writer: inout WireWriter) {
    writer.writeVarint(value ? 1 : 0)
  }

  /// Reads a value.
  @inlinable
  public static func read(from reader: inout WireReader) throws(WireError) -> Bool {
    try reader.readVarint() != 0
  }
}

/// An enumeration: an `int32` that keeps numbers without a name.
public enum EnumCoding<Value: OpenEnum>: ScalarCoding {
  /// `.varint`.
  @inlinable public static var wireType: WireType { .varint }

  /// The value 0.
  @inlinable public static var defaultValue: Value { Value(rawValue: 0) }

  /// 1 to 5, and 10 for a negative number.
  @inlinable
  public static func size(of value: Value) -> Int {
    Int32Coding.size(of: value.rawValue)
  }

  /// Writes the number.
  @inlinable
  public static func write(_ value: Value, to writer: inout WireWriter) {
    Int32Coding.write(value.rawValue, to: &writer)
  }

  /// Reads a number.
  @inlinable
  public static func read(from reader: inout WireReader) throws(WireError) -> Value {
    Value(rawValue: try Int32Coding.read(from: &reader))
  }
}
