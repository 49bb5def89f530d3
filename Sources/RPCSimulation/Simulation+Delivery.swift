import RPCCore

/// Bytes arrive: both functions are the same but for the side, which can't be passed along, since
/// a side can't be copied.
extension Simulation {
  mutating func deliverToServer(_ count: Int) throws(SimulationFailure) {
    guard !isOver else { return }
    toServer.deliver(count, to: &server.inbox, now: now)
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
      server.lastReceived = now
      try serverReceived(received, header, payload)
    }
    inbox.removeFirst(min(offset, inbox.count))
    swap(&inbox, &server.inbox)
    toServer.settle()
  }

  mutating func deliverToClient(_ count: Int) throws(SimulationFailure) {
    guard !isOver else { return }
    toClient.deliver(count, to: &client.inbox, now: now)
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
      client.lastReceived = now
      try clientReceived(received, header, payload)
    }
    inbox.removeFirst(min(offset, inbox.count))
    swap(&inbox, &client.inbox)
    toClient.settle()
  }

  /// The other side has closed the connection: all it had sent before arrived first.
  mutating func noteClosed(_ close: PeerClose) {
    say("sees the close: \(close.code)")
    report.closed += 1
    endConnection()
  }

  /// Neither side can send or receive any more.
  mutating func endConnection() {
    isOver = true
    client.connection.transportEnded()
    server.connection.transportEnded()
  }

  /// What arrives for a call must be what was sent, and next.
  func checkMessage(
    _ expected: SimulatedMessage?, _ place: SimulatedMessage.Place, _ content: MessageContent,
    isCompressed: Bool, _ payload: RawSpan
  ) throws(SimulationFailure) {
    let kind = place.isRequest ? "request" : "response"
    guard let expected else {
      throw failure("\(kind) \(place.index) of \(place.stream) was never sent")
    }
    guard content.count == expected.size, place.wrote(content, in: payload) else {
      throw failure("\(kind) \(place.index) of \(place.stream) isn't what was sent")
    }
    guard isCompressed == expected.isCompressed else {
      throw failure("\(kind) \(place.index) of \(place.stream) lost its compression flag")
    }
  }

  mutating func noteMessage(_ count: Int, isCompressed: Bool) {
    report.messages += 1
    if isCompressed { report.compressed += 1 }
    if count > ProtocolDefaults.streamWindow { report.longMessages += 1 }
  }
}
