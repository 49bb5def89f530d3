/// What a received frame means for the layer above. Ranges refer to the payload that was passed in
/// and are valid as long as its bytes are.
public enum Received {
  /// Done inside: a PING was answered, credit grew, a fragment was kept, an extension was skipped.
  case nothing
  /// The peer's SETUP: `Connection.peer` holds what it said. Streams may have become writable.
  case setup
  /// Server: a call. It holds a slot until `handlerEnded`.
  case call(InboundCall)
  /// Client: the server's initial metadata (decode with `Metadata(headers:)`).
  case headers(StreamID, block: Range<Int>)
  /// A whole message of a call that was announced before.
  case message(InboundMessage)
  /// Server: the client sends no more messages on this stream.
  case halfClosed(StreamID)
  /// Client: the call is over; the stream is gone.
  case end(InboundEnd)
  /// Server: the client gave the call up. No END is owed; cancel the handler, and call
  /// `handlerEnded` when it has returned.
  case cancelled(StreamID)
  /// Credit arrived: streams may have become writable (`popWritable`).
  case writable
  /// The peer answered `ping`; the value is the one that was passed there, nil for the keep-alive's
  /// and the drain's own PINGs.
  case pong(UInt64?)
  /// Client: the server takes no new calls on this connection.
  case drain(DrainNotice)
  /// The peer closed the connection: every live call is over (`popLiveStream`).
  case closed(PeerClose)
  /// Server: a call was refused with an END and never reached a slot.
  case refused(StreamID, CallRefusal)
  /// The peer broke a rule of this one stream; it has been told (END from a server, CANCEL from a
  /// client). The call is over: on a server, cancel the handler and call `handlerEnded`.
  case failed(StreamID, StreamFailure)
  /// A legitimate frame that came too late to matter.
  case dropped
  /// The peer broke the protocol. CLOSE was written: flush, then close the connection.
  case violation(ProtocolViolation)
}

/// Where a received message's bytes are.
public enum MessageContent: Sendable {
  /// This range of the payload that was passed in.
  case borrowed(Range<Int>)
  /// Put together from several frames.
  case assembled([UInt8])

  /// The message's length on the wire, in bytes.
  public var count: Int {
    switch self {
    case .borrowed(let range): range.count
    case .assembled(let bytes): bytes.count
    }
  }
}

/// Server: a call that arrived.
public struct InboundCall: Sendable {
  /// The call's stream.
  public var stream: StreamID
  /// The full method name ("onside.v1.LoginService/CreateSession"), not validated as UTF-8.
  public var method: Range<Int>
  /// The whole header block; `Metadata(callHeader:)` decodes its metadata, which was checked.
  public var header: Range<Int>
  /// Number of metadata entries in the header.
  public var metadataCount: Int
  /// The client's timeout in microseconds from receipt, at least 1; nil when it sent none.
  public var timeoutMicroseconds: UInt64?
  /// The first message when it came whole with the call.
  public var message: MessageContent?
  /// The message is compressed.
  public var isCompressed: Bool
  /// The client sends nothing more: with a message it is a unary or server-streaming call.
  public var isHalfClosed: Bool
}

/// A message of a call that is under way.
public struct InboundMessage: Sendable {
  /// The call's stream.
  public var stream: StreamID
  /// The bytes. Tell the connection with `consumed` when the application has taken them.
  public var content: MessageContent
  /// The message is compressed.
  public var isCompressed: Bool
  /// Server: the client half-closed with this message.
  public var isLast: Bool
}

/// Client: the end of a call.
public struct InboundEnd: Sendable {
  /// The call's stream; it is gone.
  public var stream: StreamID
  /// How the call ended.
  public var code: StatusCode
  /// The encoded status, checked; empty for a plain OK. Decode with `Status(decoding:)`.
  public var status: Range<Int>
  /// The last message when it came with the end.
  public var message: MessageContent?
  /// The message is compressed.
  public var isCompressed: Bool
  /// The server says that nothing of the call ran.
  public var isNotStarted: Bool
}

/// Client: what a DRAIN said.
public struct DrainNotice: Sendable, Hashable {
  /// The last stream that the server answers; nil in the first notice, when it isn't known yet.
  public var lastAccepted: StreamID?
}

/// What the peer's CLOSE said.
public struct PeerClose: Sendable, Hashable {
  /// The code.
  public var code: CloseCode
  /// The text, repaired where it wasn't UTF-8; not to be shown without escaping.
  public var text: String
}

/// Server: why a call never reached a slot.
public enum CallRefusal: Sendable, Hashable {
  /// All slots are taken.
  case noSlot
  /// The connection drains and the call is above the last accepted id.
  case draining
  /// The header block is larger than 16 KiB.
  case headerTooLarge
  /// The metadata has more than 128 entries.
  case tooManyEntries
  /// The message that came with it is longer than this side's limit.
  case messageTooLarge
}

/// Why one stream failed by the peer's fault.
public enum StreamFailure: Sendable, Hashable {
  /// A message longer than this side's limit.
  case messageTooLarge
}

/// What `Connection.parse` found at the front of the received bytes.
public enum ParsedFrame: Sendable {
  /// Not a whole frame yet: come back when this many bytes (from the same front) are there.
  case incomplete(needed: Int)
  /// A whole frame: its payload is the `header.payloadLength` bytes behind the ten of the header.
  case frame(FrameHeader)
  /// The header breaks the protocol. CLOSE was written: flush, then close the connection.
  case violation(ProtocolViolation)
}

/// A call that was live when its connection ended.
public struct LostCall: Sendable, Hashable {
  /// The call's stream.
  public var stream: StreamID
  /// Client: the server had said that it doesn't run this call; it's safe to send it again.
  public var isNotStarted: Bool
}
