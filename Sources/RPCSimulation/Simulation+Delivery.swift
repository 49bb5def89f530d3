import RPCCore

extension Simulation {
  mutating func deliverToServer(_ count: Int) throws(SimulationFailure) {
    guard !isOver, toServer.stalledUntil <= now else { return }
    toServer.deliver(count, to: &server.inbox)
    // Taken out, so that its bytes can be borrowed while the side changes.
    var inbox: [UInt8] = []
    swap(&inbox, &server.inbox)
    var offset = 0
    while !isOver {
      let bytes = inbox.span.bytes
      let rest = bytes.extracting(offset..<bytes.byteCount)
      let parsed = server.connection.parse(rest, into: &server.output)
      if case .violation(let violation) = parsed { throw failure("server: \(violation.text)") }
      guard case .frame(let header) = parsed else { break }
      let size = FrameHeader.size + Int(header.payloadLength)
      let payload = rest.extracting(FrameHeader.size..<size)
      let received = server.connection.receive(
        header, payload: payload, now: now, into: &server.output)
      offset += size
      try serverReceived(received, payload)
    }
    inbox.removeFirst(min(offset, inbox.count))
    swap(&inbox, &server.inbox)
    toServer.settle()
  }

  mutating func deliverToClient(_ count: Int) throws(SimulationFailure) {
    guard !isOver, toClient.stalledUntil <= now else { return }
    toClient.deliver(count, to: &client.inbox)
    // Taken out, so that its bytes can be borrowed while the side changes.
    var inbox: [UInt8] = []
    swap(&inbox, &client.inbox)
    var offset = 0
    while !isOver {
      let bytes = inbox.span.bytes
      let rest = bytes.extracting(offset..<bytes.byteCount)
      let parsed = client.connection.parse(rest, into: &client.output)
      if case .violation(let violation) = parsed { throw failure("client: \(violation.text)") }
      guard case .frame(let header) = parsed else { break }
      let size = FrameHeader.size + Int(header.payloadLength)
      let payload = rest.extracting(FrameHeader.size..<size)
      let received = client.connection.receive(
        header, payload: payload, now: now, into: &client.output)
      offset += size
      try clientReceived(received, payload)
    }
    inbox.removeFirst(min(offset, inbox.count))
    swap(&inbox, &client.inbox)
    toClient.settle()
  }

  // MARK: The server

  private mutating func serverReceived(
    _ received: Received, _ payload: RawSpan
  ) throws(SimulationFailure) {
    switch received {
    case .nothing, .setup, .writable, .pong, .dropped: return
    case .call(let call): try accept(call, payload)
    case .message(let message):
      try takeRequest(message.stream, message.content, payload)
      if message.isLast { calls[message.stream]?.sawHalfClose = true }
    case .halfClosed(let stream):
      say("server sees the half-close of \(stream)")
      calls[stream]?.sawHalfClose = true
    case .cancelled(let stream):
      say("server sees the cancel of \(stream)")
      guard calls[stream]?.isOnServer == true, calls[stream]?.hasHandlerReturned == false else {
        throw failure("cancelled \(stream), which no handler runs")
      }
      calls[stream]?.hasServerEnded = true
    case .refused(let stream, let refusal):
      say("server refuses \(stream): \(refusal)")
      guard calls[stream]?.isOnServer == false else {
        throw failure("refused \(stream) after it was accepted")
      }
      calls[stream]?.status = .unavailable
      forgetIfDone(stream)
    case .violation(let violation): throw failure("server: \(violation.rule): \(violation.text)")
    case .headers, .end, .drain, .closed, .failed: throw failure("server got \(received)")
    }
  }

  private mutating func accept(
    _ call: InboundCall, _ payload: RawSpan
  ) throws(SimulationFailure) {
    say("server gets call \(call.stream)")
    guard let state = calls[call.stream], !state.isOnServer, state.status == nil else {
      throw failure("call \(call.stream) arrived twice or was never sent")
    }
    calls[call.stream]?.isOnServer = true
    if let timeout = call.timeoutMicroseconds {
      let deadline = DeadlinePolicy().deadline(
        timeoutMicroseconds: timeout, usesFallback: true, received: now)
      server.connection.setDeadline(call.stream, deadline)
    }
    if let message = call.message { try takeRequest(call.stream, message, payload) }
    if call.isHalfClosed { calls[call.stream]?.sawHalfClose = true }
  }

  private mutating func takeRequest(
    _ stream: StreamID, _ content: MessageContent, _ payload: RawSpan
  ) throws(SimulationFailure) {
    guard let call = calls[stream], call.isOnServer, !call.sawHalfClose else {
      throw failure("a message on \(stream), which has no handler or was half-closed")
    }
    let index = call.requestsReceived
    guard index < call.requests.count, content.count == call.requests[index],
      isRight(stream, index, isRequest: true, content, payload)
    else { throw failure("request \(index) of \(stream) isn't what was sent") }
    say("server gets \(stream) #\(index) \(content.count)")
    report.messages += 1
    calls[stream]?.requestsReceived += 1
    calls[stream]?.serverInbox.append(content.count)
  }

  // MARK: The client

  private mutating func clientReceived(
    _ received: Received, _ payload: RawSpan
  ) throws(SimulationFailure) {
    switch received {
    case .nothing, .setup, .writable, .pong, .dropped, .headers: return
    case .drain(let notice): say("client sees the drain \(notice.lastAccepted?.rawValue ?? 0)")
    case .message(let message): try takeResponse(message.stream, message.content, payload)
    case .end(let end):
      if let message = end.message { try takeResponse(end.stream, message, payload) }
      try takeEnd(end)
    case .violation(let violation): throw failure("client: \(violation.rule): \(violation.text)")
    case .call, .halfClosed, .cancelled, .refused, .failed, .closed:
      throw failure("client got \(received)")
    }
  }

  private mutating func takeResponse(
    _ stream: StreamID, _ content: MessageContent, _ payload: RawSpan
  ) throws(SimulationFailure) {
    guard let call = calls[stream], call.outcome == nil else {
      throw failure("a message on \(stream), which is over")
    }
    let index = call.responsesReceived
    guard index < call.responses.count, content.count == call.responses[index],
      isRight(stream, index, isRequest: false, content, payload)
    else { throw failure("response \(index) of \(stream) isn't what was sent") }
    say("client gets \(stream) #\(index) \(content.count)")
    report.messages += 1
    calls[stream]?.responsesReceived += 1
    calls[stream]?.clientInbox.append(content.count)
  }

  private mutating func takeEnd(_ end: InboundEnd) throws(SimulationFailure) {
    say("client gets the end of \(end.stream): \(end.code)")
    guard let call = calls[end.stream], let status = call.status else {
      throw failure("an end of \(end.stream) that the server didn't send")
    }
    guard status == end.code else {
      throw failure("\(end.stream) ended with \(end.code), the server said \(status)")
    }
    guard !end.isNotStarted || !call.isOnServer else {
      throw failure("\(end.stream) was started, and is said not to be")
    }
    if end.code == .ok, call.responsesReceived != call.responses.count {
      throw failure(
        "\(end.stream) ended after \(call.responsesReceived) of \(call.responses.count) messages")
    }
    try settle(end.stream, .ended(end.code, isNotStarted: end.isNotStarted))
  }

  private func isRight(
    _ stream: StreamID, _ index: Int, isRequest: Bool, _ content: MessageContent,
    _ payload: RawSpan
  ) -> Bool {
    switch content {
    case .borrowed(let range):
      SimulatedMessage.isRight(stream, index, isRequest: isRequest, payload.extracting(range))
    case .assembled(let bytes):
      SimulatedMessage.isRight(stream, index, isRequest: isRequest, bytes.span.bytes)
    }
  }

  /// Notes the one outcome of a call.
  mutating func settle(
    _ stream: StreamID, _ outcome: SimulatedCall.Outcome
  ) throws(SimulationFailure) {
    guard let call = calls[stream], call.outcome == nil else {
      throw failure("\(stream) has ended twice")
    }
    calls[stream]?.outcome = outcome
    if case .ended = outcome { report.ended += 1 } else { report.abandoned += 1 }
    forgetIfDone(stream)
  }

  /// Takes a call off the list of those that something can still happen to.
  mutating func forgetIfDone(_ stream: StreamID) {
    guard let call = calls[stream], call.outcome != nil, !call.isOnServer || call.hasHandlerReturned
    else { return }
    // A call that is still on its way to the server comes back on the list there.
    guard call.isOnServer || call.status != nil else { return }
    active.removeAll { $0 == stream }
  }
}
