import RPCCore

/// What the server's core says about arrived frames, against what was sent.
extension Simulation {
  mutating func serverReceived(
    _ received: Received, _ header: FrameHeader, _ payload: RawSpan
  ) throws(SimulationFailure) {
    switch received {
    case .nothing, .setup, .writable: return
    case .dropped: try checkDroppedByServer(header)
    case .pong(let value):
      report.pongs += 1
      guard server.takePong(value) else { throw failure("server got a PONG, unasked") }
    case .call(let call): try accept(call, payload)
    case .message(let message):
      try takeRequest(
        message.stream, message.content, isCompressed: message.isCompressed, payload)
      if message.isLast { try takeHalfClose(message.stream) }
    case .halfClosed(let stream): try takeHalfClose(stream)
    case .cancelled(let stream): try takeCancel(stream)
    case .refused(let stream, let refusal): try noteRefused(stream, refusal)
    case .closed(let close): noteClosed(close)
    case .violation(let violation): throw failure("server: \(violation.rule): \(violation.text)")
    case .headers, .end, .drain, .failed: throw failure("server got \(received)")
    }
  }

  private mutating func accept(
    _ call: InboundCall, _ payload: RawSpan
  ) throws(SimulationFailure) {
    say("server gets call \(call.stream)")
    guard let state = calls[call.stream], !state.isOnServer, state.end == nil else {
      throw failure("call \(call.stream) arrived twice or was never sent")
    }
    calls[call.stream]?.isOnServer = true
    let metadata = try? Metadata(callHeader: payload.extracting(call.header))
    guard metadata == self.metadata(of: call.stream) else {
      throw failure("the metadata of call \(call.stream) isn't what was sent")
    }
    let deadline = DeadlinePolicy().deadline(
      timeoutMicroseconds: call.timeoutMicroseconds,
      usesFallback: !state.shape.streamsResponses, received: now)
    calls[call.stream]?.serverDeadline = deadline
    if deadline != .distantFuture { server.connection.setDeadline(call.stream, deadline) }
    if let message = call.message {
      try takeRequest(call.stream, message, isCompressed: call.isCompressed, payload)
    }
    if call.isHalfClosed { try takeHalfClose(call.stream) }
  }

  private mutating func takeRequest(
    _ stream: StreamID, _ content: MessageContent, isCompressed: Bool, _ payload: RawSpan
  ) throws(SimulationFailure) {
    guard let call = calls[stream], call.isRunning, !call.sawHalfClose else {
      throw failure("a message on \(stream), which has no handler or was half-closed")
    }
    let index = call.requestsReceived
    try checkMessage(
      index < call.requestsSent ? call.requests[index] : nil,
      SimulatedMessage.Place(stream: stream, index: index, isRequest: true), content,
      isCompressed: isCompressed, payload)
    say("server gets \(stream) #\(index) \(content.count)")
    noteMessage(content.count, isCompressed: isCompressed)
    calls[stream]?.requestsReceived += 1
    calls[stream]?.serverInbox.append(content.count)
  }

  private mutating func takeHalfClose(_ stream: StreamID) throws(SimulationFailure) {
    say("server sees the half-close of \(stream)")
    guard let call = calls[stream], call.isRunning, call.isHalfClosed, !call.sawHalfClose else {
      throw failure("a half-close of \(stream) that wasn't sent, or came twice")
    }
    guard call.requestsReceived == call.requests.count else {
      throw failure(
        "\(stream) half-closed after \(call.requestsReceived) of \(call.requests.count) messages")
    }
    calls[stream]?.sawHalfClose = true
  }

  private mutating func takeCancel(_ stream: StreamID) throws(SimulationFailure) {
    say("server sees the cancel of \(stream)")
    guard let call = calls[stream], call.isOnServer, !call.hasHandlerReturned,
      !call.isCancelledOnServer
    else { throw failure("cancelled \(stream), which no handler runs") }
    guard call.outcome == .cancelled || call.outcome == .expired else {
      throw failure("cancelled \(stream), which the client didn't give up")
    }
    calls[stream]?.isCancelledOnServer = true
  }

  private mutating func noteRefused(
    _ stream: StreamID, _ refusal: CallRefusal
  ) throws(SimulationFailure) {
    say("server refuses \(stream): \(refusal)")
    guard let call = calls[stream], !call.isOnServer, call.end == nil else {
      throw failure("refused \(stream) after it was accepted")
    }
    switch refusal {
    case .noSlot:
      guard server.connection.liveCalls >= plan.server.maximumConcurrentCalls else {
        throw failure("refused \(stream) for want of a slot, and there is one")
      }
    case .draining:
      guard isDraining else { throw failure("refused \(stream) without a drain") }
    default: throw failure("refused \(stream): \(refusal)")
    }
    calls[stream]?.end = SimulatedCall.End(code: .unavailable, isNotStarted: true)
    forgetIfDone(stream)
  }

  /// Only what comes behind the server's own END, or behind a refusal, may be dropped.
  private mutating func checkDroppedByServer(
    _ header: FrameHeader
  ) throws(SimulationFailure) {
    report.lateFrames += 1
    guard calls[header.stream]?.isOverOnServer == true else {
      throw failure("server drops \(header.type) of \(header.stream), which isn't over")
    }
  }
}
