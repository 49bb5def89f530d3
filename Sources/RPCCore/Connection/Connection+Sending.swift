/// How a message gets into the output.
@usableFromInline
enum SendRoute {
  /// Straight into the output buffer, behind this many bytes of header.
  case direct(prefix: Int, place: Int)
  /// Into memory first: no credit, no room, or something is queued before it.
  case queue
  /// Not at all.
  case result(SendResult)
}

/// A stream that the application may send on, or why it can't.
enum SendingPlace {
  case place(Int)
  case result(SendResult)
}

extension Connection {
  /// The place of a stream for an operation of the layer above.
  mutating func sendingPlace(_ stream: StreamID, as required: ConnectionRole?) -> SendingPlace {
    if let required, required != role { return .result(.misuse(.wrongRole)) }
    guard !isClosed else { return .result(.dropped) }
    guard let place = streams.find(stream.rawValue) else {
      // A stream that was live once ended by the peer's doing, which the caller may not know yet.
      let wasLive = stream.isClientInitiated && stream.rawValue <= highestOpened
      return .result(wasLive ? .dropped : .misuse(.unknownStream))
    }
    let state = streams.places[place].flags
    if state.contains(.cancelled) { return .result(.dropped) }
    if state.contains(.finishing) { return .result(.misuse(.afterEnd)) }
    return .place(place)
  }

  /// Sends a message on a stream (server: before `end`).
  /// - Parameters: as for `openCall`. `halfClose`: client only, the last message.
  @inlinable
  public mutating func sendMessage(
    _ stream: StreamID, messageCapacity capacity: Int, isCompressed: Bool = false,
    halfClose: Bool = false, into output: inout OutputBuffer,
    encode: (UnsafeMutableRawBufferPointer) -> Int
  ) -> SendResult {
    switch prepareMessage(stream, capacity, isCompressed, halfClose, &output) {
    case .result(let result): return result
    case .direct(let prefix, let place):
      let room = output.reserve(prefix + capacity)
      let size = encode(UnsafeMutableRawBufferPointer(rebasing: room[prefix...]))
      precondition(size >= 0 && size <= capacity, "more encoded than announced")
      commitMessage(place, size, isCompressed, halfClose, &output)
      return .sent
    case .queue:
      return queueMessage(
        stream, encodeToArray(capacity, encode), isCompressed, halfClose, &output)
    }
  }

  /// Encodes a message that can't go out directly.
  @inlinable
  func encodeToArray(
    _ capacity: Int, _ encode: (UnsafeMutableRawBufferPointer) -> Int
  ) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      count = encode(UnsafeMutableRawBufferPointer(buffer))
      precondition(count >= 0 && count <= capacity, "more encoded than announced")
    }
  }

  @usableFromInline
  mutating func prepareMessage(
    _ stream: StreamID, _ capacity: Int, _ isCompressed: Bool, _ halfClose: Bool,
    _ output: inout OutputBuffer
  ) -> SendRoute {
    switch sendingPlace(stream, as: halfClose ? .client : nil) {
    case .result(let result): return .result(result)
    case .place(let place):
      if isCompressed, !peer.acceptsZlib { return .result(.misuse(.compressionNotAccepted)) }
      guard fitsDirectly(place, capacity, prefix: 0, output) else { return .queue }
      return .direct(prefix: FrameHeader.size, place: place)
    }
  }

  /// Whether a message of at most `capacity` bytes can be one frame right now.
  func fitsDirectly(
    _ place: Int, _ capacity: Int, prefix: Int, _ output: borrowing OutputBuffer
  ) -> Bool {
    !streams.places[place].hasQueue && capacity <= sendWindow
      && capacity <= streams.places[place].sendWindow && capacity <= peer.maximumMessageSize
      && capacity <= peer.maximumFramePayload - prefix
      && output.count < configuration.outputHighWater
  }

  @usableFromInline
  mutating func commitMessage(
    _ place: Int, _ size: Int, _ isCompressed: Bool, _ halfClose: Bool,
    _ output: inout OutputBuffer
  ) {
    var flags: FrameFlags = isCompressed ? [.hasMessage, .compressed] : .hasMessage
    if halfClose { flags.insert(.halfClose) }
    let room = output.reserve(FrameHeader.size + size)
    output.storeHeader(
      .message, streams.places[place].streamID, flags: flags, payloadLength: size, at: room)
    output.commit(FrameHeader.size + size)
    spend(place, size)
    streams.places[place].flags.insert(.messagesSent)
    if halfClose { localEnded(place) }
  }

  @usableFromInline
  mutating func queueMessage(
    _ stream: StreamID, _ bytes: [UInt8], _ isCompressed: Bool, _ halfClose: Bool,
    _ output: inout OutputBuffer
  ) -> SendResult {
    guard bytes.count <= peer.maximumMessageSize else { return .misuse(.messageTooLarge) }
    guard let place = streams.find(stream.rawValue) else { return .dropped }
    streams.places[place].flags.insert(.messagesSent)
    enqueue(place, .message(bytes: bytes, offset: 0, isCompressed: isCompressed))
    if halfClose {
      streams.places[place].flags.insert(.finishing)
      enqueue(place, .halfClose)
    }
    return pumpQueued(stream, place, &output)
  }

  mutating func enqueue(_ place: Int, _ item: OutboundQueue.Item) {
    if streams.places[place].outbound == nil { streams.places[place].outbound = OutboundQueue() }
    streams.places[place].outbound?.append(item)
  }

  /// Writes what can be written at once, and says whether that was all.
  mutating func pumpQueued(
    _ stream: StreamID, _ place: Int, _ output: inout OutputBuffer
  ) -> SendResult {
    markReady(place)
    pump(&output)
    guard let place = streams.find(stream.rawValue), streams.places[place].hasQueue else {
      return .sent
    }
    streams.places[place].flags.insert(.awaitsWritable)
    return .queued
  }
}

// MARK: The server's last message
extension Connection {
  /// Server: ends a call with OK and a last message, in one frame when it fits and there is credit
  /// for it. This is the whole answer of a unary call.
  /// - Parameters: as for `openCall`.
  @inlinable
  public mutating func end(
    _ stream: StreamID, trailers: Metadata = Metadata(), messageCapacity capacity: Int,
    isCompressed: Bool = false, into output: inout OutputBuffer,
    encode: (UnsafeMutableRawBufferPointer) -> Int
  ) -> SendResult {
    let status = trailers.isEmpty ? [] : Status(code: .ok, trailers: trailers).encoded()
    switch prepareEnd(stream, status, capacity, isCompressed, &output) {
    case .result(let result): return result
    case .direct(let prefix, let place):
      let room = output.reserve(prefix + capacity)
      let size = encode(UnsafeMutableRawBufferPointer(rebasing: room[prefix...]))
      precondition(size >= 0 && size <= capacity, "more encoded than announced")
      commitEnd(place, prefix - FrameHeader.size, size, isCompressed, &output)
      return .sent
    case .queue:
      return queueEnd(stream, status, encodeToArray(capacity, encode), isCompressed, &output)
    }
  }

  @usableFromInline
  mutating func prepareEnd(
    _ stream: StreamID, _ status: [UInt8], _ capacity: Int, _ isCompressed: Bool,
    _ output: inout OutputBuffer
  ) -> SendRoute {
    switch sendingPlace(stream, as: .server) {
    case .result(let result): return .result(result)
    case .place(let place):
      if isCompressed, !peer.acceptsZlib { return .result(.misuse(.compressionNotAccepted)) }
      let size = endSize(status)
      guard fitsDirectly(place, capacity, prefix: size, output) else { return .queue }
      let room = output.reserve(FrameHeader.size + size + capacity)
      if status.isEmpty {
        room[FrameHeader.size] = 0
      } else {
        writeStatus(status, at: UnsafeMutableRawBufferPointer(rebasing: room[FrameHeader.size...]))
      }
      return .direct(prefix: FrameHeader.size + size, place: place)
    }
  }

  @usableFromInline
  mutating func commitEnd(
    _ place: Int, _ statusSize: Int, _ size: Int, _ isCompressed: Bool,
    _ output: inout OutputBuffer
  ) {
    let room = output.reserve(FrameHeader.size + statusSize + size)
    output.storeHeader(
      .end, streams.places[place].streamID,
      flags: isCompressed ? [.hasMessage, .compressed] : .hasMessage,
      payloadLength: statusSize + size, at: room)
    output.commit(FrameHeader.size + statusSize + size)
    spend(place, size)
    abandonIncoming(place, &output)
    localEnded(place)
    removeIfOver(place, &output)
  }

  @usableFromInline
  mutating func queueEnd(
    _ stream: StreamID, _ status: [UInt8], _ bytes: [UInt8], _ isCompressed: Bool,
    _ output: inout OutputBuffer
  ) -> SendResult {
    guard bytes.count <= peer.maximumMessageSize else { return .misuse(.messageTooLarge) }
    guard let place = streams.find(stream.rawValue) else { return .dropped }
    streams.places[place].flags.insert([.messagesSent, .finishing])
    abandonIncoming(place, &output)
    enqueue(place, .message(bytes: bytes, offset: 0, isCompressed: isCompressed))
    enqueue(place, .end(status: status))
    return pumpQueued(stream, place, &output)
  }
}
