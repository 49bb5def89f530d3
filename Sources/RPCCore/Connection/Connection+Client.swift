extension Connection {
  /// Client: opens a call with its first message, which `encode` writes: straight into the output
  /// buffer when the message fits one frame and there is credit for it, else into memory that is
  /// sent as credit comes.
  /// - Parameters:
  ///   - timeoutMicroseconds: time that the server has from receipt, at least 1; nil for none. A
  ///     call whose deadline has passed must not be opened at all.
  ///   - deadline: when `tick` reports the call as expired.
  ///   - capacity: the most bytes that `encode` writes. Exact sizes waste no memory.
  ///   - halfClose: no further message follows (unary and server-streaming calls).
  ///   - encode: writes the message into the memory it gets and returns its size.
  @inlinable
  public mutating func openCall(
    _ method: MethodPath, timeoutMicroseconds: UInt64? = nil, metadata: Metadata = Metadata(),
    deadline: MonotonicInstant = .distantFuture, messageCapacity capacity: Int,
    isCompressed: Bool = false, halfClose: Bool = true, into output: inout OutputBuffer,
    encode: (UnsafeMutableRawBufferPointer) -> Int
  ) -> OpenResult {
    let header = OutboundCallHeader(method, timeoutMicroseconds, metadata)
    switch prepareCall(header, capacity, isCompressed, &output) {
    case .result(let result): return result
    case .direct(let prefix):
      let room = output.reserve(prefix + capacity)
      let size = encode(UnsafeMutableRawBufferPointer(rebasing: room[prefix...]))
      precondition(size >= 0 && size <= capacity, "more encoded than announced")
      return commitCall(prefix, size, isCompressed, halfClose, deadline, &output)
    case .queue:
      return queueCall(
        header, encodeToArray(capacity, encode), isCompressed, halfClose, deadline, &output)
    }
  }

  /// Client: opens a call without a message (client-streaming and bidirectional calls).
  public mutating func openCall(
    _ method: MethodPath, timeoutMicroseconds: UInt64? = nil, metadata: Metadata = Metadata(),
    deadline: MonotonicInstant = .distantFuture, into output: inout OutputBuffer
  ) -> OpenResult {
    let header = OutboundCallHeader(method, timeoutMicroseconds, metadata)
    if let obstacle = obstacle(to: header) { return obstacle }
    return .opened(open(header, deadline, &output))
  }

  /// Client: gives a call up. The stream is gone at once; nothing is reported for it any more.
  public mutating func cancel(
    _ stream: StreamID, into output: inout OutputBuffer
  ) -> SendResult {
    guard role == .client else { return .misuse(.wrongRole) }
    guard !isClosed else { return .dropped }
    guard let place = streams.find(stream.rawValue) else {
      let wasLive = stream.isClientInitiated && stream.rawValue <= highestOpened
      return wasLive ? .dropped : .misuse(.unknownStream)
    }
    cancelLive(place, &output)
    return .sent
  }

  /// Client: sends no more messages on this stream.
  public mutating func halfClose(
    _ stream: StreamID, into output: inout OutputBuffer
  ) -> SendResult {
    switch sendingPlace(stream, as: .client) {
    case .result(let result): return result
    case .place(let place):
      if streams.places[place].hasQueue {
        streams.places[place].flags.insert(.finishing)
        enqueue(place, .halfClose)
        return pumpQueued(stream, place, &output)
      }
      output.appendFrame(.message, stream, flags: .halfClose)
      localEnded(place)
      return .sent
    }
  }
}

/// How a call with a message gets into the output.
@usableFromInline
enum CallRoute {
  /// Straight into the output buffer, behind this many bytes of headers.
  case direct(prefix: Int)
  /// The message into memory first.
  case queue
  /// Not at all.
  case result(OpenResult)
}

extension Connection {
  /// Why a call can't be opened.
  private func obstacle(to header: OutboundCallHeader) -> OpenResult? {
    guard role == .client else { return .misuse(.wrongRole) }
    guard isStarted else { return .misuse(.notStarted) }
    guard !isClosed else { return .refused(.closed) }
    guard drainState == .none else { return .refused(.draining) }
    guard nextStream <= StreamID.last.rawValue else { return .refused(.exhausted) }
    guard streams.count < peer.maximumConcurrentCalls else { return .refused(.noSlot) }
    guard header.size <= ProtocolDefaults.headerBlock else { return .misuse(.headersTooLarge) }
    return nil
  }

  /// The next id: odd, above all before it.
  private var nextStream: UInt32 {
    // Ids end at 2³¹ − 1: adding 2 can't overflow.
    highestOpened == 0 ? configuration.firstStream.rawValue | 1 : highestOpened + 2
  }

  @usableFromInline
  mutating func prepareCall(
    _ header: OutboundCallHeader, _ capacity: Int, _ isCompressed: Bool,
    _ output: inout OutputBuffer
  ) -> CallRoute {
    if let obstacle = obstacle(to: header) { return .result(obstacle) }
    if isCompressed, !peer.acceptsZlib { return .result(.misuse(.compressionNotAccepted)) }
    let prefix = header.prefixedSize
    guard capacity <= sendWindow, capacity <= peer.streamWindow,
      capacity <= peer.maximumMessageSize, capacity <= peer.maximumFramePayload - prefix,
      output.count < configuration.outputHighWater
    else { return .queue }
    let room = output.reserve(FrameHeader.size + prefix + capacity)
    header.write(to: UnsafeMutableRawBufferPointer(rebasing: room[FrameHeader.size...]))
    return .direct(prefix: FrameHeader.size + prefix)
  }

  @usableFromInline
  mutating func commitCall(
    _ prefix: Int, _ size: Int, _ isCompressed: Bool, _ halfClose: Bool,
    _ deadline: MonotonicInstant, _ output: inout OutputBuffer
  ) -> OpenResult {
    var flags: FrameFlags = isCompressed ? [.hasMessage, .compressed] : .hasMessage
    if halfClose { flags.insert(.halfClose) }
    let place = insertStream(deadline)
    let stream = streams.places[place].streamID
    let room = output.reserve(prefix + size)
    output.storeHeader(
      .call, stream, flags: flags, payloadLength: prefix - FrameHeader.size + size, at: room)
    output.commit(prefix + size)
    spend(place, size)
    if halfClose { localEnded(place) }
    return .opened(stream)
  }

  @usableFromInline
  mutating func queueCall(
    _ header: OutboundCallHeader, _ bytes: [UInt8], _ isCompressed: Bool, _ halfClose: Bool,
    _ deadline: MonotonicInstant, _ output: inout OutputBuffer
  ) -> OpenResult {
    guard bytes.count <= peer.maximumMessageSize else { return .misuse(.messageTooLarge) }
    let stream = open(header, deadline, &output)
    _ = queueMessage(stream, bytes, isCompressed, halfClose, &output)
    return .opened(stream)
  }

  /// Writes a CALL without a message.
  private mutating func open(
    _ header: OutboundCallHeader, _ deadline: MonotonicInstant, _ output: inout OutputBuffer
  ) -> StreamID {
    let place = insertStream(deadline)
    let stream = streams.places[place].streamID
    let size = header.prefixedSize
    header.write(to: output.reserveFrame(.call, stream, flags: [], payloadLength: size))
    output.commit(FrameHeader.size + size)
    return stream
  }

  private mutating func insertStream(_ deadline: MonotonicInstant) -> Int {
    highestOpened = nextStream
    let place = streams.insert(
      highestOpened, sendWindow: peer.streamWindow, receiveWindow: configuration.streamWindow)
    streams.places[place].deadline = deadline
    earliestExpiry = min(earliestExpiry, deadline)
    return place
  }
}
