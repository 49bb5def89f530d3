extension Message {
  /// Reads a message from borrowed bytes, without a copy of them.
  ///
  /// - Throws: `WireError` when the bytes are not a message of this type or go beyond `limits`.
  public init(
    decoding bytes: RawSpan, limits: DecodingLimits = DecodingLimits()
  ) throws(WireError) {
    self.init()
    var reader = WireReader(bytes, limits: limits)
    try merge(from: &reader)
  }

  /// Reads a message from bytes that stay valid and unchanged during the call, without a copy.
  ///
  /// - Throws: `WireError` when the bytes are not a message of this type or go beyond `limits`.
  public init(
    decoding bytes: UnsafeRawBufferPointer, limits: DecodingLimits = DecodingLimits()
  ) throws(WireError) {
    try self.init(decoding: bytes.bytes, limits: limits)
  }

  /// Reads a message from an array.
  ///
  /// - Throws: `WireError` when the bytes are not a message of this type or go beyond `limits`.
  public init(
    serialized bytes: [UInt8], limits: DecodingLimits = DecodingLimits()
  ) throws(WireError) {
    try self.init(decoding: bytes.span.bytes, limits: limits)
  }

  /// The size pass: how many bytes the message has on the wire, and its nested messages.
  public func sizePlan() -> SizePlan {
    var plan = SizePlan()
    plan.total = encodedSize(&plan)
    return plan
  }

  /// Writes the message to the start of a buffer.
  ///
  /// - Parameters:
  ///   - buffer: At least `plan.total` bytes.
  ///   - plan: What `sizePlan()` returned for this very value.
  /// - Returns: The number of bytes written, which is `plan.total`.
  @discardableResult
  public func encode(into buffer: UnsafeMutableRawBufferPointer, plan: SizePlan) -> Int {
    var writer = WireWriter(buffer, plan: plan)
    encode(into: &writer)
    return writer.count
  }

  /// The message on the wire, in an array of its own.
  public func serialized() -> [UInt8] {
    let plan = sizePlan()
    return [UInt8](unsafeUninitializedCapacity: plan.total) { buffer, count in
      count = encode(into: UnsafeMutableRawBufferPointer(buffer), plan: plan)
    }
  }
}
