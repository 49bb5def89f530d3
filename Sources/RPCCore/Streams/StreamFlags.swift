/// What is known about one stream, one bit each.
struct StreamFlags: OptionSet {
  var rawValue: UInt16

  /// The peer sends no more messages: half-closed.
  static let remoteClosed = StreamFlags(rawValue: 1)
  /// The peer is inside a message.
  static let remotePartial = StreamFlags(rawValue: 2)
  /// The message that the peer is inside of is compressed.
  static let partialCompressed = StreamFlags(rawValue: 4)
  /// This side's last frame is in the output buffer: END, or the half-close.
  static let localClosed = StreamFlags(rawValue: 8)
  /// This side's last frame is queued or written; the application can send no more.
  static let finishing = StreamFlags(rawValue: 16)
  /// HEADERS were sent (server) or received (client).
  static let headers = StreamFlags(rawValue: 32)
  /// Client: a message has begun to arrive, so that HEADERS come too late.
  static let messagesReceived = StreamFlags(rawValue: 64)
  /// Server: a message was sent or queued, so that HEADERS come too late.
  static let messagesSent = StreamFlags(rawValue: 4096)
  /// Server: the client has cancelled.
  static let cancelled = StreamFlags(rawValue: 128)
  /// Server: the handler has returned.
  static let handlerEnded = StreamFlags(rawValue: 256)
  /// In the list of streams with something to write.
  static let ready = StreamFlags(rawValue: 512)
  /// The application waits until the queue is written.
  static let awaitsWritable = StreamFlags(rawValue: 1024)
}
