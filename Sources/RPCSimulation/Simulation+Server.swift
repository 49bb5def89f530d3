import RPCCore

/// What the server's handlers do.
extension Simulation {
  mutating func serverSend(_ stream: StreamID) throws(SimulationFailure) {
    guard let call = calls[stream] else { return }
    try sendHeaders(stream, call)
    let index = call.responsesSent
    let size = call.responses[index].size
    let isCompressed = call.responses[index].isCompressed && server.connection.peer.acceptsZlib
    let result = server.connection.sendMessage(
      stream, messageCapacity: size, isCompressed: isCompressed, into: &server.output
    ) { SimulatedMessage.Place(stream: stream, index: index, isRequest: false).write(to: $0) }
    say("server sends \(stream) #\(index) \(size) -> \(result)")
    let waits = try expectSent(result, "sendMessage")
    calls[stream]?.responses[index].isCompressed = isCompressed
    calls[stream]?.responsesSent += 1
    calls[stream]?.serverAwaitsWritable = waits
  }

  private mutating func sendHeaders(
    _ stream: StreamID, _ call: SimulatedCall
  ) throws(SimulationFailure) {
    guard call.sendsHeaders, !call.hasSentHeaders, call.responsesSent == 0 else { return }
    let result = server.connection.sendHeaders(stream, metadata(of: stream), into: &server.output)
    _ = try expectSent(result, "sendHeaders")
    calls[stream]?.hasSentHeaders = true
  }

  mutating func serverEnd(_ stream: StreamID) throws(SimulationFailure) {
    guard let call = calls[stream] else { return }
    try sendHeaders(stream, call)
    let result: SendResult
    if call.endsWithMessage {
      let index = call.responsesSent
      let isCompressed = call.responses[index].isCompressed && server.connection.peer.acceptsZlib
      result = server.connection.end(
        stream, trailers: metadata(of: stream), messageCapacity: call.responses[index].size,
        isCompressed: isCompressed, into: &server.output
      ) { SimulatedMessage.Place(stream: stream, index: index, isRequest: false).write(to: $0) }
      calls[stream]?.responses[index].isCompressed = isCompressed
      calls[stream]?.responsesSent += 1
    } else {
      result = server.connection.end(
        stream, Status(code: .ok, trailers: metadata(of: stream)), into: &server.output)
    }
    say("server ends \(stream) -> \(result)")
    _ = try expectSent(result, "end")
    calls[stream]?.end = SimulatedCall.End(code: .ok, text: "")
  }

  /// An error of the handler; one that hasn't answered may say that it hasn't started.
  mutating func serverFail(_ stream: StreamID) throws(SimulationFailure) {
    guard let call = calls[stream] else { return }
    let isUnanswered = call.responsesSent == 0 && !call.hasSentHeaders
    let isNotStarted = isUnanswered && decisions.chance(30)
    try endWithError(stream, isNotStarted ? .unavailable : .aborted, isNotStarted: isNotStarted)
  }

  mutating func endWithError(
    _ stream: StreamID, _ code: StatusCode, isNotStarted: Bool = false
  ) throws(SimulationFailure) {
    let text = "simulated \(stream)"
    let status = Status(code: code, message: text, trailers: metadata(of: stream))
    let result = server.connection.end(
      stream, status, isNotStarted: isNotStarted, into: &server.output)
    say("server fails \(stream) \(code) -> \(result)")
    guard try !expectSent(result, "end") else { throw failure("an error of \(stream) waits") }
    calls[stream]?.end = SimulatedCall.End(code: code, text: text, isNotStarted: isNotStarted)
  }

  mutating func serverRead(_ stream: StreamID) throws(SimulationFailure) {
    guard let size = calls[stream]?.serverInbox.first else { return }
    say("server reads \(stream) \(size)")
    calls[stream]?.serverInbox.removeFirst()
    server.connection.consumed(stream, size, into: &server.output)
  }

  mutating func handlerReturns(_ stream: StreamID) throws(SimulationFailure) {
    say("handler returns \(stream)")
    server.connection.handlerEnded(stream, into: &server.output)
    calls[stream]?.hasHandlerReturned = true
    calls[stream]?.serverInbox = []
    forgetIfDone(stream)
  }
}
