/// How a value is laid out behind its tag.
public enum WireType: UInt32, Sendable {
  /// 1 to 10 bytes, seven bits each, the lowest first.
  case varint = 0
  /// 8 bytes, the lowest first.
  case fixed64 = 1
  /// A varint length and that many bytes: strings, bytes, messages, packed numbers.
  case lengthDelimited = 2
  /// Fields up to the end tag of the same number. Not made any more, still skipped.
  case startGroup = 3
  /// The end of a group.
  case endGroup = 4
  /// 4 bytes, the lowest first.
  case fixed32 = 5
}

/// Arithmetic of the wire format. Source: https://protobuf.dev/programming-guides/encoding/
public enum WireFormat {
  /// The highest field number, 2²⁹ − 1.
  public static let maximumFieldNumber: UInt32 = 536_870_911

  /// The tag of a field: its number and wire type as they stand on the wire.
  @inlinable
  public static func tag(_ field: UInt32, _ type: WireType) -> UInt32 {
    field << 3 | type.rawValue
  }

  /// Bytes of a value as a varint: 1 to 10.
  @inlinable
  public static func varintSize(_ value: UInt64) -> Int {
    // 9/64 is a hair above 1/7: right for every number of bits up to 64, without a division.
    ((64 - (value | 1).leadingZeroBitCount) * 9 + 64) >> 6
  }

  /// Bytes of a value as a varint: 1 to 5.
  @inlinable
  public static func varintSize(_ value: UInt32) -> Int {
    ((32 - (value | 1).leadingZeroBitCount) * 9 + 64) >> 6
  }

  /// Bytes of a length-delimited value: its length prefix and itself.
  @inlinable
  public static func lengthDelimitedSize(_ count: Int) -> Int {
    varintSize(UInt64(truncatingIfNeeded: count)) + count
  }

  /// Maps small negative numbers to small unsigned ones: 0, −1, 1, −2 → 0, 1, 2, 3.
  @inlinable
  public static func zigZag(_ value: Int64) -> UInt64 {
    UInt64(bitPattern: value << 1 ^ value >> 63)
  }

  /// Maps small negative numbers to small unsigned ones: 0, −1, 1, −2 → 0, 1, 2, 3.
  @inlinable
  public static func zigZag(_ value: Int32) -> UInt32 {
    UInt32(bitPattern: value << 1 ^ value >> 31)
  }

  /// The inverse of `zigZag`.
  @inlinable
  public static func unzigZag(_ value: UInt64) -> Int64 {
    Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  /// The inverse of `zigZag`.
  @inlinable
  public static func unzigZag(_ value: UInt32) -> Int32 {
    Int32(bitPattern: value >> 1) ^ -Int32(bitPattern: value & 1)
  }
}
