// The codings of what has a length prefix.

/// `string`: UTF-8, checked when it is read.
public enum StringCoding: ScalarCoding {
  /// `.lengthDelimited`.
  @inlinable public static var wireType: WireType { .lengthDelimited }

  /// Empty.
  @inlinable public static var defaultValue: String { "" }

  /// The length prefix and the UTF-8 bytes.
  @inlinable
  public static func size(of value: String) -> Int {
    WireFormat.lengthDelimitedSize(value.utf8.count)
  }

  /// Writes the value.
  @inlinable
  public static func write(_ value: String, to writer: inout WireWriter) {
    writer.writeString(value)
  }

  /// Reads a value.
  @inlinable
  public static func read(from reader: inout WireReader) throws(WireError) -> String {
    try reader.readString()
  }
}

/// `bytes`: any bytes.
public enum BytesCoding: ScalarCoding {
  /// `.lengthDelimited`.
  @inlinable public static var wireType: WireType { .lengthDelimited }

  /// Empty.
  @inlinable public static var defaultValue: [UInt8] { [] }

  /// The length prefix and the bytes.
  @inlinable
  public static func size(of value: [UInt8]) -> Int {
    WireFormat.lengthDelimitedSize(value.count)
  }

  /// Writes the value.
  @inlinable
  public static func write(_ value: [UInt8], to writer: inout WireWriter) {
    writer.writeBytes(value)
  }

  /// Reads a value.
  @inlinable
  public static func read(from reader: inout WireReader) throws(WireError) -> [UInt8] {
    try reader.readBytes()
  }
}

/// A nested message.
public enum MessageCoding<Value: Message & Hashable>: FieldCoding {
  /// `.lengthDelimited`.
  @inlinable public static var wireType: WireType { .lengthDelimited }

  /// A message in which every field has its default value.
  @inlinable public static var defaultValue: Value { Value() }

  /// The length prefix and the message; adds its size to the plan.
  @inlinable
  public static func size(of value: Value, _ plan: inout SizePlan) -> Int {
    plan.messageSize(value)
  }

  /// Writes length and message.
  @inlinable
  public static func write(_ value: Value, to writer: inout WireWriter) {
    writer.writeMessageBody(value)
  }

  /// Merges a message into the value.
  @inlinable
  public static func read(
    _ value: inout Value, from reader: inout WireReader
  ) throws(WireError) {
    try reader.readMessage(into: &value)
  }
}
