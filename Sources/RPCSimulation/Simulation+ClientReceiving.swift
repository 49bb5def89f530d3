import RPCCore

/// What the client's core says about arrived frames, against what was sent.
extension Simulation {
  mutating func clientReceived(
    _ received: Received, _ header: FrameHeader, _ payload: RawSpan
  ) throws(SimulationFailure) {
    switch received {
    case .nothing, .setup, .writable: return
    case .dropped: try checkDroppedByClient(header)
    case .pong(let value):
      report.pongs += 1
      guard client.takePong(value) else { throw failure("client got a PONG, unasked") }
    case .headers(let stream, let block):
      try takeHeaders(stream, payload.extracting(block))
    case .drain(let notice):
      say("client sees the drain \(notice.lastAccepted?.rawValue ?? 0)")
      guard isDraining else { throw failure("client sees a drain that wasn't begun") }
      lastAccepted = notice.lastAccepted ?? .last
    case .message(let message):
      try takeResponse(
        message.stream, message.content, isCompressed: message.isCompressed, payload)
    case .end(let end):
      if let message = end.message {
        try takeResponse(end.stream, message, isCompressed: end.isCompressed, payload)
      }
      try takeEnd(end, payload)
    case .closed(let close): noteClosed(close)
    case .violation(let violation): throw failure("client: \(violation.rule): \(violation.text)")
    case .call, .halfClosed, .cancelled, .refused, .failed: throw failure("client got \(received)")
    }
  }

  private mutating func takeHeaders(
    _ stream: StreamID, _ block: RawSpan
  ) throws(SimulationFailure) {
    guard let call = calls[stream], call.outcome == nil, call.hasSentHeaders, !call.sawHeaders,
      call.responsesReceived == 0
    else { throw failure("HEADERS of \(stream) that weren't sent, or came twice or late") }
    guard (try? Metadata(headers: block)) == metadata(of: stream) else {
      throw failure("the HEADERS of \(stream) aren't what was sent")
    }
    calls[stream]?.sawHeaders = true
  }

  private mutating func takeResponse(
    _ stream: StreamID, _ content: MessageContent, isCompressed: Bool, _ payload: RawSpan
  ) throws(SimulationFailure) {
    guard let call = calls[stream], call.outcome == nil, call.sawHeaders == call.hasSentHeaders
    else { throw failure("a message on \(stream), which is over, or before its HEADERS") }
    let index = call.responsesReceived
    try checkMessage(
      index < call.responsesSent ? call.responses[index] : nil,
      SimulatedMessage.Place(stream: stream, index: index, isRequest: false), content,
      isCompressed: isCompressed, payload)
    say("client gets \(stream) #\(index) \(content.count)")
    noteMessage(content.count, isCompressed: isCompressed)
    calls[stream]?.responsesReceived += 1
    calls[stream]?.clientInbox.append(content.count)
  }

  private mutating func takeEnd(
    _ end: InboundEnd, _ payload: RawSpan
  ) throws(SimulationFailure) {
    say("client gets the end of \(end.stream): \(end.code)")
    guard let call = calls[end.stream], let sent = call.end else {
      throw failure("an end of \(end.stream) that the server didn't send")
    }
    guard sent.code == end.code, sent.isNotStarted == end.isNotStarted else {
      throw failure("\(end.stream) ended with \(end.code), the server said \(sent)")
    }
    if let text = sent.text { try checkStatus(end, payload, text) }
    if end.code == .ok, call.responsesReceived != call.responses.count {
      throw failure(
        "\(end.stream) ended after \(call.responsesReceived) of \(call.responses.count) messages")
    }
    try settle(end.stream, end.isNotStarted ? .notStarted : .ended(end.code))
  }

  private func checkStatus(
    _ end: InboundEnd, _ payload: RawSpan, _ text: String
  ) throws(SimulationFailure) {
    let expected = Status(code: end.code, message: text, trailers: metadata(of: end.stream))
    let status = end.status.isEmpty ? .ok : try? Status(decoding: payload.extracting(end.status))
    guard status == expected else {
      throw failure("\(end.stream) ended with \(String(describing: status)), sent was \(expected)")
    }
  }

  /// Only what comes behind the client's own CANCEL may be dropped, and credit for a direction that
  /// it has closed by now.
  private mutating func checkDroppedByClient(
    _ header: FrameHeader
  ) throws(SimulationFailure) {
    report.lateFrames += 1
    guard let call = calls[header.stream] else {
      throw failure("client drops \(header.type) of \(header.stream), which was never opened")
    }
    let isLateCredit = header.type == .credit && call.isHalfClosed
    guard call.outcome != nil || isLateCredit else {
      throw failure("client drops \(header.type) of \(header.stream), which isn't over")
    }
  }
}
