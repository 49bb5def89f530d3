/// What became of something the application wanted to send on a stream.
public enum SendResult: Sendable, Hashable {
  /// It is in the output buffer.
  case sent
  /// It waits for credit or for room in the output buffer. Send nothing more on this stream until
  /// `popWritable` names it (more is accepted, and held in memory).
  case queued
  /// The call is over (the peer cancelled or ended it): nothing was sent, and that's fine.
  case dropped
  /// The caller broke the API's rules; nothing was sent.
  case misuse(Misuse)
}

/// A mistake of the layer above: a bug, not the peer's fault.
public enum Misuse: Error, Sendable, Hashable {
  /// The operation belongs to the other role.
  case wrongRole
  /// The stream was never opened, or its handler has been reported as ended.
  case unknownStream
  /// After the end, or after the half-close.
  case afterEnd
  /// HEADERS twice, or after a message.
  case headersTooLate
  /// Metadata larger than 16 KiB when encoded.
  case headersTooLarge
  /// The message is longer than the peer takes (`peer.maximumMessageSize`).
  case messageTooLarge
  /// Compressed, but the peer doesn't accept it.
  case compressionNotAccepted
  /// `start` wasn't called, or was called twice.
  case notStarted
}

/// What became of a call that the client wanted to open.
public enum OpenResult: Sendable, Hashable {
  /// It is under way; part of the message may still wait for credit.
  case opened(StreamID)
  /// It can't be opened here.
  case refused(OpenRefusal)
  /// The caller broke the API's rules.
  case misuse(Misuse)
}

/// Why a client can't open a call on this connection.
public enum OpenRefusal: Sendable, Hashable {
  /// As many calls are open as the server takes: wait for one to end.
  case noSlot
  /// The server drains, or this side does: use another connection.
  case draining
  /// The stream ids are used up: use a new connection.
  case exhausted
  /// The connection is closed.
  case closed
}

/// What is due after `tick`.
public enum TimerEvent: Sendable, Hashable {
  /// Nothing more now.
  case none
  /// The deadline of a call has passed. Client: `cancel` it and fail it. Server: answer with
  /// DEADLINE_EXCEEDED and cancel its handler. It is reported once.
  case expired(StreamID)
  /// The peer was silent for too long. CLOSE was written: flush, then close the connection.
  case violation(ProtocolViolation)
  /// Server: calls are still open at the end of `ageGrace`. CLOSE was written: flush, then close
  /// the connection.
  case outlived
}
