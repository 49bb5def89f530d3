// The codings of numbers whose size on the wire is fixed.

/// `fixed32`: 4 bytes, the lowest first.
public enum Fixed32Coding: ScalarCoding {
  /// `.fixed32`.
  @inlinable public static var wireType: WireType { .fixed32 }

  /// Zero.
  @inlinable public static var defaultValue: UInt32 { 0 }

  /// 4.
  @inlinable public static var fixedSize: Int? { 4 }

  /// Always 4.
  @inlinable
  public static func size(of value: UInt32) -> Int {
    4
  }

  /// Writes the value.
  @inlinable
  public static func write(_ value: UInt32, to writer: inout WireWriter) {
    writer.writeFixed32(value)
  }

  /// Reads a value.
  @inlinable
  public static func read(from reader: inout WireReader) throws(WireError) -> UInt32 {
    try reader.readFixed32()
  }
}

/// `fixed64`: 8 bytes, the lowest first.
public enum Fixed64Coding: ScalarCoding {
  /// `.fixed64`.
  @inlinable public static var wireType: WireType { .fixed64 }

  /// Zero.
  @inlinable public static var defaultValue: UInt64 { 0 }

  /// 8.
  @inlinable public static var fixedSize: Int? { 8 }

  /// Always 8.
  @inlinable
  public static func size(of value: UInt64) -> Int {
    8
  }

  /// Writes the value.
  @inlinable
  public static func write(_ value: UInt64, to writer: inout WireWriter) {
    writer.writeFixed64(value)
  }

  /// Reads a value.
  @inlinable
  public static func read(from reader: inout WireReader) throws(WireError) -> UInt64 {
    try reader.readFixed64()
  }
}

/// `sfixed32`: 4 bytes, two's complement.
public enum SFixed32Coding: ScalarCoding {
  /// `.fixed32`.
  @inlinable public static var wireType: WireType { .fixed32 }

  /// Zero.
  @inlinable public static var defaultValue: Int32 { 0 }

  /// 4.
  @inlinable public static var fixedSize: Int? { 4 }

  /// Always 4.
  @inlinable
  public static func size(of value: Int32) -> Int {
    4
  }

  /// Writes the value.
  @inlinable
  public static func write(_ value: Int32, to writer: inout WireWriter) {
    writer.writeFixed32(UInt32(bitPattern: value))
  }

  /// Reads a value.
  @inlinable
  public static func read(from reader: inout WireReader) throws(WireError) -> Int32 {
    Int32(bitPattern: try reader.readFixed32())
  }
}

/// `sfixed64`: 8 bytes, two's complement.
public enum SFixed64Coding: ScalarCoding {
  /// `.fixed64`.
  @inlinable public static var wireType: WireType { .fixed64 }

  /// Zero.
  @inlinable public static var defaultValue: Int64 { 0 }

  /// 8.
  @inlinable public static var fixedSize: Int? { 8 }

  /// Always 8.
  @inlinable
  public static func size(of value: Int64) -> Int {
    8
  }

  /// Writes the value.
  @inlinable
  public static func write(_ value: Int64, to writer: inout WireWriter) {
    writer.writeFixed64(UInt64(bitPattern: value))
  }

  /// Reads a value.
  @inlinable
  public static func read(from reader: inout WireReader) throws(WireError) -> Int64 {
    Int64(bitPattern: try reader.readFixed64())
  }
}

/// `float`: 4 bytes, IEEE 754.
public enum FloatCoding: ScalarCoding {
  /// `.fixed32`.
  @inlinable public static var wireType: WireType { .fixed32 }

  /// Zero.
  @inlinable public static var defaultValue: Float { 0 }

  /// 4.
  @inlinable public static var fixedSize: Int? { 4 }

  /// Always 4.
  @inlinable
  public static func size(of value: Float) -> Int {
    4
  }

  /// Writes the value.
  @inlinable
  public static func write(_ value: Float, to writer: inout WireWriter) {
    writer.writeFixed32(value.bitPattern)
  }

  /// Reads a value.
  @inlinable
  public static func read(from reader: inout WireReader) throws(WireError) -> Float {
    Float(bitPattern: try reader.readFixed32())
  }
}

/// `double`: 8 bytes, IEEE 754.
public enum DoubleCoding: ScalarCoding {
  /// `.fixed64`.
  @inlinable public static var wireType: WireType { .fixed64 }

  /// Zero.
  @inlinable public static var defaultValue: Double { 0 }

  /// 8.
  @inlinable public static var fixedSize: Int? { 8 }

  /// Always 8.
  @inlinable
  public static func size(of value: Double) -> Int {
    8
  }

  /// Writes the value.
  @inlinable
  public static func write(_ value: Double, to writer: inout WireWriter) {
    writer.writeFixed64(value.bitPattern)
  }

  /// Reads a value.
  @inlinable
  public static func read(from reader: inout WireReader) throws(WireError) -> Double {
    Double(bitPattern: try reader.readFixed64())
  }
}
