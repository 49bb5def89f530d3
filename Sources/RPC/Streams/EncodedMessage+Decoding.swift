import ProtobufWire

/// Why a message that came can't be taken.
enum UnreadableMessage: Error {
  case compression(CompressionError)
  case wire(WireError)
}

extension EncodedMessage {
  /// Inflates and decodes the message.
  func decode<Decoded: Message>(of method: MethodDescriptor) throws(UnreadableMessage) -> Decoded {
    guard let inflater else {
      return try bytes.span.bytes.withUnsafeBytes { bytes throws(UnreadableMessage) in
        try Self.decoded(bytes)
      }
    }
    guard !method.carriesCredentials else { throw .compression(.notAllowed) }
    return try bytes.span.bytes.withUnsafeBytes { bytes throws(UnreadableMessage) in
      let inflated = try Self.inflated(bytes, by: inflater)
      return try Self.decoded(inflated.bytes)
    }
  }

  private static func inflated(
    _ bytes: UnsafeRawBufferPointer, by inflater: Inflater
  ) throws(UnreadableMessage) -> InflatedMessage {
    do throws(CompressionError) {
      return try inflater.inflate(bytes)
    } catch {
      throw .compression(error)
    }
  }

  private static func decoded<Decoded: Message>(
    _ bytes: UnsafeRawBufferPointer
  ) throws(UnreadableMessage) -> Decoded {
    do throws(WireError) {
      return try Decoded(decoding: bytes)
    } catch {
      throw .wire(error)
    }
  }
}

extension RPCError {
  /// A message that came and can't be taken.
  init(_ error: UnreadableMessage, _ what: String, phase: Phase) {
    switch error {
    case .compression(let error):
      self.init(error.statusCode, "\(what): \(error)", cause: error, phase: phase)
    case .wire(let error):
      self.init(.internal, "\(what) can't be decoded: \(error)", cause: error, phase: phase)
    }
  }
}
