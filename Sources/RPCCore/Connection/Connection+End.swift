import ProtobufWire

extension Connection {
  /// Bytes of an END's payload before the message.
  func endSize(_ status: [UInt8]) -> Int { WireFormat.lengthDelimitedSize(status.count) }

  /// Writes a status with its length.
  func writeStatus(_ status: [UInt8], at room: UnsafeMutableRawBufferPointer) {
    var writer = WireWriter(room)
    writer.writeBytes(status)
  }

  /// Writes an END; the message, when there is one, is within the frame limit with the status.
  func writeEnd(
    _ stream: StreamID, status: [UInt8], message: [UInt8] = [], flags: FrameFlags,
    _ output: inout OutputBuffer
  ) {
    let size = endSize(status) + message.count
    let room = output.reserveFrame(.end, stream, flags: flags, payloadLength: size)
    var writer = WireWriter(room)
    writer.writeBytes(status)
    writer.writeRaw(message.span.bytes)
    output.commit(FrameHeader.size + size)
  }

  /// Server: ends a call without a message. An error goes out at once and abandons what is queued;
  /// OK waits for the messages before it.
  public mutating func end(
    _ stream: StreamID, _ status: Status, isNotStarted: Bool = false,
    into output: inout OutputBuffer
  ) -> SendResult {
    let place: Int
    switch sendingPlace(stream, as: .server) {
    case .place(let found): place = found
    case .result(let result): return result
    }
    let bytes = status.encoded()
    if status.code == .ok, streams.places[place].hasQueue {
      streams.places[place].flags.insert(.finishing)
      streams.places[place].outbound?.append(.end(status: bytes))
      abandonIncoming(place, &output)
      markReady(place)
      return .queued
    }
    let hasAnswered = !streams.places[place].flags.isDisjoint(with: [.headers, .messagesSent])
    let isRefusal = isNotStarted && status.code != .ok && !hasAnswered
    abandonMessages(place, &output)
    writeEnd(stream, status: bytes, flags: isRefusal ? .notStarted : [], &output)
    localEnded(place)
    removeIfOver(place, &output)
    return .sent
  }

  /// Server: the call's handler has returned. The slot becomes free once the call's END is written
  /// as well (in either order) or the client has cancelled.
  public mutating func handlerEnded(_ stream: StreamID, into output: inout OutputBuffer) {
    guard role == .server, let place = streams.find(stream.rawValue) else { return }
    streams.places[place].flags.insert(.handlerEnded)
    removeIfOver(place, &output)
  }

  /// Server: sends initial metadata; at most once, before any message.
  public mutating func sendHeaders(
    _ stream: StreamID, _ metadata: Metadata, into output: inout OutputBuffer
  ) -> SendResult {
    let place: Int
    switch sendingPlace(stream, as: .server) {
    case .place(let found): place = found
    case .result(let result): return result
    }
    guard streams.places[place].flags.isDisjoint(with: [.headers, .messagesSent]) else {
      return .misuse(.headersTooLate)
    }
    let size = MetadataCoding.size(metadata)
    guard size <= ProtocolDefaults.headerBlock else { return .misuse(.headersTooLarge) }
    streams.places[place].flags.insert(.headers)
    let room = output.reserveFrame(.headers, stream, flags: [], payloadLength: size)
    var writer = WireWriter(room)
    MetadataCoding.write(metadata, tag: HeadersField.metadata, to: &writer)
    output.commit(FrameHeader.size + size)
    return .sent
  }
}
