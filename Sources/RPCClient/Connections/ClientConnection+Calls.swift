import RPC
import RPCCore
import RPCTransport

extension ClientConnection {
  /// What became of a call that was to be opened.
  enum Opening {
    /// It is on its way, or has been told why it isn't.
    case taken
    /// As many calls are open as the server takes.
    case noSlot
    /// This connection takes no calls any more.
    case unusable
  }

  /// Opens a call: its request is encoded straight into the output when it fits there.
  func open(_ call: OutgoingCall) -> Opening {
    guard takesCalls else { return .unusable }
    let now = loop.now
    guard call.writes(at: channel.outputPosition, now: now) else {
      counters.expiredInQueue.add(1)
      fail(call, .expired(.queued, wasStarted: false))
      return .taken
    }
    if call.hasManyRequests { return openStream(call, now) }
    let size = call.requestSize()
    guard size <= core.peer.maximumMessageSize else {
      fail(call, tooLarge(call, size))
      return .taken
    }
    if compresses(size, call, call.options.compression) { return openCompressed(call, size, now) }
    let result = channel.withOutput {
      core.openCall(
        call.method.wirePath,
        timeoutMicroseconds: DeadlinePolicy.timeoutMicroseconds(until: call.deadline, now: now),
        metadata: call.options.metadata, deadline: call.deadline, messageCapacity: size, into: &$0
      ) { buffer in
        call.encodeRequest(into: buffer)
        return size
      }
    }
    return conclude(call, result)
  }

  private func openCompressed(_ call: OutgoingCall, _ size: Int, _ now: MonotonicInstant) -> Opening
  {
    let (message, isCompressed) = deflated(size) { call.encodeRequest(into: $0) }
    let result = channel.withOutput {
      core.openCall(
        call.method.wirePath,
        timeoutMicroseconds: DeadlinePolicy.timeoutMicroseconds(until: call.deadline, now: now),
        metadata: call.options.metadata, deadline: call.deadline, messageCapacity: message.count,
        isCompressed: isCompressed, into: &$0
      ) { buffer in
        buffer.copyBytes(from: message)
        return message.count
      }
    }
    return conclude(call, result)
  }

  /// Whether a message of that size is worth compressing, and may be.
  func compresses(_ size: Int, _ call: OutgoingCall, _ compression: MessageCompression) -> Bool {
    let threshold = configuration.compressionThreshold
    return compression.applies(to: size, threshold: threshold)
      && core.peer.acceptsZlib && !call.method.carriesCredentials
  }

  /// Encodes a message, and compresses it when that makes it smaller.
  func deflated(
    _ size: Int, _ encode: (UnsafeMutableRawBufferPointer) -> Void
  ) -> (message: [UInt8], isCompressed: Bool) {
    let plain = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      encode(UnsafeMutableRawBufferPointer(buffer))
      count = size
    }
    let deflated = plain.withUnsafeBytes { Deflater().deflate($0) }
    return (deflated ?? plain, deflated != nil)
  }

  func conclude(_ call: OutgoingCall, _ result: OpenResult) -> Opening {
    switch result {
    case .opened(let stream):
      call.opened(on: stream.rawValue, at: loop.now)
      counters.attempts.add(1)
      calls.insert(call, at: stream.rawValue)
      if call.isStream { (call as? OutgoingStream)?.opened(by: self) }
      return .taken
    case .refused(.noSlot): return .noSlot
    case .refused: return .unusable
    case .misuse(let misuse):
      fail(call, RPCError(misuse: misuse, call.method))
      return .taken
    }
  }

  /// Gives a call up that is on its way here; false when it isn't.
  func cancel(_ call: OutgoingCall) -> Bool {
    guard calls[call.stream] === call else { return false }
    calls.remove(call.stream)
    if !isOver {
      _ = channel.withOutput { core.cancel(StreamID(call.stream), into: &$0) }
    }
    fail(call, OutgoingCall.givenUp)
    callEnded()
    return true
  }

  private func tooLarge(_ call: OutgoingCall, _ size: Int) -> RPCError {
    RPCError(
      .resourceExhausted,
      "the request of \(call.method.path) has \(size) bytes; the server takes at most "
        + "\(core.peer.maximumMessageSize)", phase: .queued, wasStarted: false)
  }
}

extension RPCError {
  /// A call that the state machine wouldn't open.
  init(misuse: Misuse, _ method: MethodDescriptor) {
    switch misuse {
    case .headersTooLarge:
      self.init(
        .resourceExhausted, "the metadata of the call to \(method.path) is larger than 16 KiB",
        phase: .queued, wasStarted: false)
    case .messageTooLarge:
      self.init(
        .resourceExhausted, "the request of \(method.path) is larger than the server takes",
        phase: .queued, wasStarted: false)
    default:
      self.init(
        .internal, "the call to \(method.path) can't be sent: \(misuse)", cause: misuse,
        phase: .queued, wasStarted: false)
    }
  }
}
