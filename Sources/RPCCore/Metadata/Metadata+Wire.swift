import ProtobufWire

extension Metadata {
  /// Decodes the metadata of a received call header (`InboundCall.header`).
  public init(callHeader bytes: RawSpan) throws(WireError) {
    try self.init(field: CallHeaderField.metadata, of: bytes)
  }

  /// Decodes a received HEADERS block.
  public init(headers bytes: RawSpan) throws(WireError) {
    try self.init(field: HeadersField.metadata, of: bytes)
  }
}
