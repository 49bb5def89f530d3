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

extension Metadata {
  /// The key of the entry that says how often a call was sent before.
  static let previousAttemptsKey: StaticString = "rpc-previous-attempts"

  /// This metadata for a call that was sent before, so many times.
  package func countingAttempts(_ previous: Int) -> Metadata {
    guard previous > 0 else { return self }
    var metadata = self
    metadata.insertReserved(Metadata.previousAttemptsKey, String(previous))
    return metadata
  }

  /// How often the call with this header was sent before, as its client says; 0 when it says
  /// nothing, or nothing that makes sense.
  public static func previousAttempts(callHeader bytes: RawSpan) throws(WireError) -> Int {
    let text = try MetadataCoding.reserved(
      previousAttemptsKey, field: CallHeaderField.metadata, of: bytes)
    return max(0, text.flatMap { Int($0) } ?? 0)
  }
}
