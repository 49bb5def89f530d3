import RPCCore

/// What the client's application does.
extension Simulation {
  mutating func open() throws(SimulationFailure) {
    guard !isOver, !client.connection.isClosed else { return }
    var call = SimulatedCall(&decisions, plan)
    let deadline = pickDeadline()
    call.deadline = deadline
    let timeout = DeadlinePolicy.timeoutMicroseconds(until: deadline, now: now)
    let path = MethodPath("sim.S/M")
    // The message is checked by stream, which isn't known before the call is open: it is the next.
    let next = nextStream
    let result: OpenResult
    if !call.requests.isEmpty, !call.shape.streamsRequests || decisions.chance(70) {
      let isLast = call.requests.count == 1
      call.requestsSent = 1
      call.isHalfClosed = isLast && (!call.shape.streamsRequests || decisions.chance(50))
      if !client.connection.peer.acceptsZlib { call.requests[0].isCompressed = false }
      result = client.connection.openCall(
        path, timeoutMicroseconds: timeout, metadata: metadata(of: next), deadline: deadline,
        messageCapacity: call.requests[0].size, isCompressed: call.requests[0].isCompressed,
        halfClose: call.isHalfClosed, into: &client.output
      ) { SimulatedMessage.Place(stream: next, index: 0, isRequest: true).write(to: $0) }
    } else {
      result = client.connection.openCall(
        path, timeoutMicroseconds: timeout, metadata: metadata(of: next), deadline: deadline,
        into: &client.output)
    }
    say(
      "open \(call.shape) \(call.requests.map(\.size)) \(call.responses.map(\.size)) -> \(result)")
    try noteOpened(result, next, call)
  }

  private mutating func noteOpened(
    _ result: OpenResult, _ next: StreamID, _ call: SimulatedCall
  ) throws(SimulationFailure) {
    switch result {
    case .opened(let stream):
      guard stream == next, calls[stream] == nil else {
        throw failure("stream \(stream) was opened, expected \(next)")
      }
      guard lastAccepted == nil else {
        throw failure("stream \(stream) was opened on a connection that drains")
      }
      calls[stream] = call
      active.append(stream)
      if let shape = CallShape.allCases.firstIndex(of: call.shape) { report.opened[shape] += 1 }
    case .refused: return
    case .misuse(let misuse): throw failure("open: \(misuse)")
    }
  }

  /// Mostly none, else between nothing and half a minute.
  private mutating func pickDeadline() -> MonotonicInstant {
    guard decisions.chance(20) else { return .distantFuture }
    let longest = decisions.pick([1_000_000, 500_000_000, 30_000_000_000]) ?? 1_000_000
    return now.advanced(byNanoseconds: Int64(decisions.number(1_000...longest)))
  }

  private var nextStream: StreamID {
    let highest = calls.keys.map(\.rawValue).max() ?? 0
    return StreamID(highest == 0 ? plan.client.firstStream.rawValue | 1 : highest + 2)
  }

  mutating func clientSend(_ stream: StreamID) throws(SimulationFailure) {
    guard let call = calls[stream] else { return }
    let index = call.requestsSent
    let size = call.requests[index].size
    let isCompressed = call.requests[index].isCompressed && client.connection.peer.acceptsZlib
    let isLast = index == call.requests.count - 1 && decisions.chance(50)
    let result = client.connection.sendMessage(
      stream, messageCapacity: size, isCompressed: isCompressed, halfClose: isLast,
      into: &client.output
    ) { SimulatedMessage.Place(stream: stream, index: index, isRequest: true).write(to: $0) }
    say("client sends \(stream) #\(index) \(size) -> \(result)")
    let waits = try expectSent(result, "sendMessage")
    calls[stream]?.requests[index].isCompressed = isCompressed
    calls[stream]?.requestsSent += 1
    calls[stream]?.isHalfClosed = isLast
    calls[stream]?.clientAwaitsWritable = waits && !isLast
  }

  mutating func halfClose(_ stream: StreamID) throws(SimulationFailure) {
    let result = client.connection.halfClose(stream, into: &client.output)
    say("client half-closes \(stream) -> \(result)")
    _ = try expectSent(result, "halfClose")
    calls[stream]?.isHalfClosed = true
  }

  mutating func cancel(_ stream: StreamID) throws(SimulationFailure) {
    let result = client.connection.cancel(stream, into: &client.output)
    say("client cancels \(stream) -> \(result)")
    guard result == .sent else { throw failure("cancel \(stream): \(result)") }
    try settle(stream, .cancelled)
  }

  mutating func clientRead(_ stream: StreamID) throws(SimulationFailure) {
    guard let size = calls[stream]?.clientInbox.first else { return }
    say("client reads \(stream) \(size)")
    calls[stream]?.clientInbox.removeFirst()
    client.connection.consumed(stream, size, into: &client.output)
  }
}
