extension Connection {
  /// Writes this side's SETUP: once, before anything else.
  public mutating func start(into output: inout OutputBuffer) {}

  /// Looks for a frame at the front of received bytes. A violation has been answered with CLOSE.
  public mutating func parse(_ bytes: RawSpan, into output: inout OutputBuffer) -> ParsedFrame {
    .incomplete(needed: FrameHeader.size)
  }

  /// Takes one whole frame. Replies that the protocol itself asks for are written to `output`.
  /// - Parameters:
  ///   - payload: exactly the payload of the frame; borrowed during the call.
  public mutating func receive(
    _ header: FrameHeader, payload: RawSpan, now: MonotonicInstant,
    into output: inout OutputBuffer
  ) -> Received { .nothing }
}

// MARK: Client
extension Connection {
  /// Client: opens a call with its first message, which `encode` writes: straight into the output
  /// buffer when the message fits one frame and there is credit for it, else into memory that is
  /// sent as credit comes.
  /// - Parameters:
  ///   - timeoutMicroseconds: time that the server has from receipt, at least 1; nil for none.
  ///   - deadline: when `tick` reports the call as expired.
  ///   - capacity: the most bytes that `encode` writes. Exact sizes waste no memory.
  ///   - halfClose: no further message follows (unary and server-streaming calls).
  ///   - encode: writes the message into the memory it gets and returns its size.
  public mutating func openCall(
    _ method: MethodPath, timeoutMicroseconds: UInt64? = nil, metadata: Metadata = Metadata(),
    deadline: MonotonicInstant = .distantFuture, messageCapacity capacity: Int,
    isCompressed: Bool = false, halfClose: Bool = true, into output: inout OutputBuffer,
    encode: (UnsafeMutableRawBufferPointer) -> Int
  ) -> OpenResult { .misuse(.notStarted) }

  /// Client: opens a call without a message (client-streaming and bidirectional calls).
  public mutating func openCall(
    _ method: MethodPath, timeoutMicroseconds: UInt64? = nil, metadata: Metadata = Metadata(),
    deadline: MonotonicInstant = .distantFuture, into output: inout OutputBuffer
  ) -> OpenResult { .misuse(.notStarted) }

  /// Client: gives a call up. The stream is gone at once; nothing is reported for it any more.
  public mutating func cancel(_ stream: StreamID, into output: inout OutputBuffer) -> SendResult {
    .dropped
  }

  /// Client: sends no more messages on this stream.
  public mutating func halfClose(_ stream: StreamID, into output: inout OutputBuffer) -> SendResult
  { .dropped }
}

// MARK: Server
extension Connection {
  /// Server: sends initial metadata; at most once, before any message.
  public mutating func sendHeaders(
    _ stream: StreamID, _ metadata: Metadata, into output: inout OutputBuffer
  ) -> SendResult { .dropped }

  /// Server: ends a call without a message. An error goes out at once and abandons what is queued;
  /// OK waits for the messages before it.
  public mutating func end(
    _ stream: StreamID, _ status: Status, isNotStarted: Bool = false,
    into output: inout OutputBuffer
  ) -> SendResult { .dropped }

  /// Server: ends a call with OK and a last message, in one frame when it fits and there is credit
  /// for it. This is the whole answer of a unary call.
  /// - Parameters: as for `openCall`.
  public mutating func end(
    _ stream: StreamID, trailers: Metadata = Metadata(), messageCapacity capacity: Int,
    isCompressed: Bool = false, into output: inout OutputBuffer,
    encode: (UnsafeMutableRawBufferPointer) -> Int
  ) -> SendResult { .dropped }

  /// Server: the call's handler has returned. The slot becomes free once the call's END is written
  /// as well (in either order) or the client has cancelled.
  public mutating func handlerEnded(_ stream: StreamID, into output: inout OutputBuffer) {}

  /// Server: stops taking calls, in two steps that lose none: DRAIN without a limit and a PING now;
  /// DRAIN with the last accepted id after its PONG, or at `nextDeadline`. Client: refuses to open
  /// further calls. Close the connection when `isDrained`.
  public mutating func drain(now: MonotonicInstant, into output: inout OutputBuffer) {}
}

// MARK: Both
extension Connection {
  /// Sends a message on a stream (server: before `end`).
  /// - Parameters: as for `openCall`. `halfClose`: client only, the last message.
  public mutating func sendMessage(
    _ stream: StreamID, messageCapacity capacity: Int, isCompressed: Bool = false,
    halfClose: Bool = false, into output: inout OutputBuffer,
    encode: (UnsafeMutableRawBufferPointer) -> Int
  ) -> SendResult { .dropped }

  /// The application has taken a message of this many bytes (`MessageContent.count`): its credit
  /// goes back to the peer. Not needed for the messages of unary calls; harmless there.
  public mutating func consumed(_ stream: StreamID, _ bytes: Int, into output: inout OutputBuffer) {
  }

  /// A stream whose queued messages have all been written since `sendMessage` returned `.queued`.
  /// Call until nil after `.writable`, `.setup` and `resume`.
  public mutating func popWritable() -> StreamID? { nil }

  /// There is room in the output buffer: writes queued message frames.
  public mutating func resume(into output: inout OutputBuffer) {}

  /// Sets when `tick` reports a live call as expired.
  public mutating func setDeadline(_ stream: StreamID, _ deadline: MonotonicInstant) {}

  /// When to call `tick`; nil when nothing is to be waited for. May be earlier than needed, never
  /// later. Can change with every call.
  public var nextDeadline: MonotonicInstant? { nil }

  /// Does what is due: keep-alive, the second step of a drain, expired calls. Call until `.none`.
  public mutating func tick(now: MonotonicInstant, into output: inout OutputBuffer) -> TimerEvent {
    .none
  }

  /// Sends a PING with this value; false when one is outstanding. The answer is `.pong(value)`.
  public mutating func ping(_ value: UInt64, now: MonotonicInstant, into output: inout OutputBuffer)
    -> Bool
  { false }

  /// Writes CLOSE. Flush and close; what arrives afterwards is ignored.
  public mutating func close(
    _ code: CloseCode, _ text: String = "", into output: inout OutputBuffer
  ) {}

  /// CLOSE was sent or received, or `transportEnded` was called.
  public var isClosed: Bool { false }

  /// The transport is gone. Then `popLiveStream` until nil.
  public mutating func transportEnded() {}

  /// After the connection is closed: takes out a call that was still live.
  public mutating func popLiveStream() -> LostCall? { nil }

  /// Calls that hold a slot. 0 on a connection that does nothing.
  public var liveCalls: Int { 0 }

  /// No new calls: a drain was begun here or (client) announced by the server, or the ids are used up.
  public var isDraining: Bool { false }

  /// Draining, and no call is left.
  public var isDrained: Bool { false }
}
