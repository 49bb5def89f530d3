import RPC
import RPCCore
import RPCTransport

extension ClientConnection {
  func channelReceived(_ channel: Channel, bytes: UnsafeRawBufferPointer) -> Int {
    let now = loop.now
    var offset = 0
    while !isOver {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
      guard rest.count >= FrameHeader.size else { break }
      var payload = UnsafeRawBufferPointer(start: nil, count: 0)
      var isWhole = false
      let received = channel.withOutput { output -> Received in
        switch core.parse(rest.bytes, into: &output) {
        case .incomplete: return .nothing
        case .violation(let violation): return .violation(violation)
        case .frame(let header):
          isWhole = true
          payload = UnsafeRawBufferPointer(
            rebasing: rest[FrameHeader.size..<FrameHeader.size + Int(header.payloadLength)])
          return core.receive(header, payload: payload.bytes, now: now, into: &output)
        }
      }
      if isWhole { offset += FrameHeader.size + payload.count }
      prefetchCalls(UnsafeRawBufferPointer(rebasing: bytes[offset...]))
      handle(received, payload)
      guard isWhole else { break }
    }
    return isOver ? bytes.count : offset
  }

  /// Asks memory for what the next two frames take, which there is time for while one is handled.
  private func prefetchCalls(_ rest: UnsafeRawBufferPointer) {
    guard case .header(let next) = FrameHeader.parse(rest.bytes, maximumPayload: .max) else {
      return
    }
    calls.glimpse(next.stream.rawValue)?._withUnsafeGuaranteedRef { $0.prefetch() }
    let length = FrameHeader.size + Int(next.payloadLength)
    guard length < rest.count,
      case .header(let second) = FrameHeader.parse(
        UnsafeRawBufferPointer(rebasing: rest[length...]).bytes, maximumPayload: .max),
      let call = calls.glimpse(second.stream.rawValue)
    else { return }
    prefetch(UnsafeRawPointer(call.toOpaque()), bytes: OutgoingCall.prefetchedBytes)
  }

  private func handle(_ received: Received, _ payload: UnsafeRawBufferPointer) {
    switch received {
    case .end(let end): ended(end, payload)
    case .message(let message): take(message, payload)
    case .headers(let stream, let block): takeHeaders(stream, block, payload)
    case .setup:
      putTimerOff()
      wakeWriters()
      owner?.connectionHasRoom(self)
    case .writable:
      wakeWriters()
    case .drain:
      owner?.connectionDrains(self)
      closeIfIdle()
    case .closed(let close):
      finish("the server closed it: \(close.code) \(close.text)")
    case .failed(let stream, .messageTooLarge): responseTooLarge(stream)
    case .violation(let violation):
      finish("\(violation.code): \(violation.text)")
    case .nothing, .dropped, .pong, .call, .halfClosed, .cancelled, .refused: break
    }
  }

  /// A call is over.
  private func ended(_ end: InboundEnd, _ payload: UnsafeRawBufferPointer) {
    guard let call = calls.remove(end.stream.rawValue) else { return }
    if end.isNotStarted {
      refused(call, end, payload)
    } else if end.code != .ok {
      fail(call, RPCError(status(end, payload), wasStarted: true))
    } else {
      succeed(call, end, payload)
    }
    callEnded()
  }

  private func status(_ end: InboundEnd, _ payload: UnsafeRawBufferPointer) -> Status {
    guard !end.status.isEmpty else { return Status(code: end.code) }
    // The connection has checked the block, so that decoding it can't fail.
    let block = UnsafeRawBufferPointer(rebasing: payload[end.status])
    return (try? Status(decoding: block.bytes)) ?? Status(code: end.code)
  }

  private func refused(
    _ call: OutgoingCall, _ end: InboundEnd, _ payload: UnsafeRawBufferPointer
  ) {
    if handBack(call) { return }
    fail(call, RPCError(status(end, payload), wasStarted: false))
  }

  private func succeed(
    _ call: OutgoingCall, _ end: InboundEnd, _ payload: UnsafeRawBufferPointer
  ) {
    let trailers = end.status.isEmpty ? Metadata() : status(end, payload).trailers
    if let onAnswer {
      let (opened, firstByte) = call.times
      let now = loop.now
      onAnswer(
        AnswerTimes(opened: opened, firstByte: firstByte ?? now, ended: now, trailers: trailers))
    }
    switch end.message {
    case .borrowed(let range):
      let bytes = UnsafeRawBufferPointer(rebasing: payload[range])
      deliver(call, bytes, end.isCompressed, trailers)
    case .assembled(let bytes):
      bytes.withUnsafeBytes { deliver(call, $0, end.isCompressed, trailers) }
    case nil:
      if call.isStream, let stream = call as? OutgoingStream {
        call.finish()
        return stream.ended(trailingMetadata: trailers)
      }
      guard let held = call.takeHeldResponse() else {
        let text = "\(call.method.path) was answered with OK and no response"
        return fail(call, RPCError(.unimplemented, text, phase: .answered))
      }
      held.bytes.withUnsafeBytes { deliver(call, $0, held.isCompressed, trailers) }
    }
  }

  private func deliver(
    _ call: OutgoingCall, _ response: UnsafeRawBufferPointer, _ isCompressed: Bool,
    _ trailers: Metadata
  ) {
    guard isCompressed else {
      call.finish()
      return call.succeeded(response, trailingMetadata: trailers)
    }
    do throws(CompressionError) {
      let inflated = try inflater.inflate(response)
      call.isResponseCompressed = true
      call.finish()
      call.succeeded(inflated.bytes, trailingMetadata: trailers)
    } catch {
      fail(call, RPCError(error.statusCode, "\(error)", cause: error, phase: .answered))
    }
  }

  /// A response that comes before its END: it is held, since only END says that it counts.
  private func take(_ message: InboundMessage, _ payload: UnsafeRawBufferPointer) {
    let stream = message.stream
    guard let call = calls[stream.rawValue] else { return }
    if call.isStream, let stream = call as? OutgoingStream { return take(message, payload, stream) }
    guard call.heldResponse == nil else {
      calls.remove(stream.rawValue)
      _ = channel.withOutput { core.cancel(stream, into: &$0) }
      let text = "\(call.method.path) was answered with more than one response"
      fail(call, RPCError(.unimplemented, text, phase: .answered))
      return callEnded()
    }
    call.noteFirstByte(at: loop.now)
    switch message.content {
    case .borrowed(let range):
      call.heldResponse = .init(Array(payload[range]), message.isCompressed)
    case .assembled(let bytes):
      call.heldResponse = .init(bytes, message.isCompressed)
    }
    channel.withOutput { core.consumed(stream, message.content.count, into: &$0) }
  }

  private func takeHeaders(
    _ stream: StreamID, _ block: Range<Int>, _ payload: UnsafeRawBufferPointer
  ) {
    guard let call = calls[stream.rawValue] else { return }
    let bytes = UnsafeRawBufferPointer(rebasing: payload[block])
    // The connection has checked the block, so that decoding it can't fail.
    call.initialMetadata = try? Metadata(headers: bytes.bytes)
    call.noteFirstByte(at: loop.now)
    if call.isStream, let metadata = call.initialMetadata {
      (call as? OutgoingStream)?.received(initialMetadata: metadata)
    }
  }

  private func responseTooLarge(_ stream: StreamID) {
    guard let call = calls.remove(stream.rawValue) else { return }
    fail(
      call,
      RPCError(
        .resourceExhausted,
        "the response of \(call.method.path) is larger than this client's limit of "
          + "\(configuration.connection.maximumMessageSize) bytes", phase: .answered))
    callEnded()
  }
}
