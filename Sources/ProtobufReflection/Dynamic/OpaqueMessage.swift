public import ProtobufWire

/// A message whose fields are looked at later: what calls of methods carry that no code was
/// generated for.
public struct OpaqueMessage: Message, Hashable {
  /// All fields.
  public var unknownFields = UnknownFields()

  /// An empty message.
  public init() {}

  /// A message of these bytes, which have to be well-formed.
  public init(_ bytes: [UInt8]) {
    unknownFields = UnknownFields(bytes: bytes)
  }

  /// The message on the wire.
  public var bytes: [UInt8] { unknownFields.bytes }

  /// None: the message may be of any type.
  public static var protoName: String { "" }

  /// The number of its bytes.
  public func encodedSize(_ plan: inout SizePlan) -> Int { unknownFields.encodedSize }

  /// Writes its bytes.
  public func encode(into writer: inout WireWriter) { writer.write(unknownFields) }

  /// Takes all fields up to the reader's limit.
  ///
  /// - Throws: `WireError` at the first that is malformed.
  public mutating func merge(from reader: inout WireReader) throws(WireError) {
    while true {
      let tag = try reader.readTag()
      if tag == 0 { return }
      try reader.readUnknown(tag, into: &unknownFields)
    }
  }
}
