import RPCCore

extension Simulation {
  mutating func perform(_ operation: SimulationPlan.Operation) throws(SimulationFailure) {
    switch operation {
    case .open: try open()
    case .clientSend: if let stream = pick({ $0.canClientSend }) { try clientSend(stream) }
    case .clientHalfClose: if let stream = pick({ $0.canHalfClose }) { try halfClose(stream) }
    case .cancel: if let stream = pick({ $0.outcome == nil }) { try cancel(stream) }
    case .clientRead:
      if let stream = pick({ !$0.clientInbox.isEmpty }) { try clientRead(stream) }
    case .serverSend: if let stream = pick({ $0.canServerSend }) { try serverSend(stream) }
    case .serverEnd: if let stream = pick({ $0.canServerEnd }) { try serverEnd(stream) }
    case .serverFail:
      if random.chance(10), let stream = pick({ $0.isRunning }) { try serverFail(stream) }
    case .serverRead:
      if let stream = pick({ !$0.serverInbox.isEmpty }) { try serverRead(stream) }
    case .handlerReturns: if let stream = pick({ $0.canReturn }) { try handlerReturns(stream) }
    case .deliverToServer: try deliverToServer(random.number(1...plan.largestPiece))
    case .deliverToClient: try deliverToClient(random.number(1...plan.largestPiece))
    case .advance: try advance(random.number(0...200_000_000))
    case .ping: ping()
    case .drain: drain()
    case .stall: stall()
    case .cut: cut()
    }
  }

  /// A call that fits, looked for from a random place on.
  private mutating func pick(_ isFit: (SimulatedCall) -> Bool) -> StreamID? {
    guard !isOver, !active.isEmpty else { return nil }
    let start = random.number(0...active.count - 1)
    for offset in active.indices {
      let stream = active[(start + offset) % active.count]
      if let call = calls[stream], isFit(call) { return stream }
    }
    return nil
  }

  // MARK: The client

  private mutating func open() throws(SimulationFailure) {
    guard !isOver, !client.connection.isClosed else { return }
    var call = SimulatedCall(&random, plan)
    let hasDeadline = random.chance(20)
    let deadline =
      hasDeadline
      ? now.advanced(byNanoseconds: Int64(random.number(1_000...500_000_000))) : .distantFuture
    let timeout = DeadlinePolicy.timeoutMicroseconds(until: deadline, now: now)
    let path = MethodPath("sim.S/M")
    let result: OpenResult
    // The message is checked by stream, which isn't known before the call is open: it is the next.
    let next = nextStream
    if let first = call.requests.first, call.isUnary || random.chance(70) {
      call.requestsSent = 1
      call.isHalfClosed = call.requests.count == 1 && (call.isUnary || random.chance(50))
      result = client.connection.openCall(
        path, timeoutMicroseconds: timeout, deadline: deadline, messageCapacity: first,
        halfClose: call.isHalfClosed, into: &client.output
      ) { SimulatedMessage.write(next, 0, isRequest: true, to: $0) }
    } else {
      result = client.connection.openCall(
        path, timeoutMicroseconds: timeout, deadline: deadline, into: &client.output)
    }
    say("open \(call.requests) \(call.responses) -> \(result)")
    switch result {
    case .opened(let stream):
      guard stream == next, calls[stream] == nil else {
        throw failure("stream \(stream) was opened, expected \(next)")
      }
      calls[stream] = call
      active.append(stream)
      report.calls += 1
    case .refused: return
    case .misuse(let misuse): throw failure("open: \(misuse)")
    }
  }

  private var nextStream: StreamID {
    let highest = calls.keys.map(\.rawValue).max() ?? 0
    return StreamID(highest == 0 ? plan.client.firstStream.rawValue | 1 : highest + 2)
  }

  private mutating func clientSend(_ stream: StreamID) throws(SimulationFailure) {
    guard let call = calls[stream] else { return }
    let index = call.requestsSent
    let isLast = index == call.requests.count - 1 && random.chance(50)
    let result = client.connection.sendMessage(
      stream, messageCapacity: call.requests[index], halfClose: isLast, into: &client.output
    ) { SimulatedMessage.write(stream, index, isRequest: true, to: $0) }
    say("client sends \(stream) #\(index) \(call.requests[index]) -> \(result)")
    try expectSent(result, "sendMessage")
    calls[stream]?.requestsSent += 1
    calls[stream]?.isHalfClosed = isLast
    calls[stream]?.clientAwaitsWritable = result == .queued && !isLast
  }

  private mutating func halfClose(_ stream: StreamID) throws(SimulationFailure) {
    let result = client.connection.halfClose(stream, into: &client.output)
    say("client half-closes \(stream) -> \(result)")
    try expectSent(result, "halfClose")
    calls[stream]?.isHalfClosed = true
  }

  private mutating func cancel(_ stream: StreamID) throws(SimulationFailure) {
    let result = client.connection.cancel(stream, into: &client.output)
    say("client cancels \(stream) -> \(result)")
    guard result == .sent else { throw failure("cancel \(stream): \(result)") }
    try settle(stream, .cancelled)
  }

  private mutating func clientRead(_ stream: StreamID) throws(SimulationFailure) {
    guard let size = calls[stream]?.clientInbox.first else { return }
    say("client reads \(stream) \(size)")
    calls[stream]?.clientInbox.removeFirst()
    client.connection.consumed(stream, size, into: &client.output)
    forgetIfDone(stream)
  }

  // MARK: The server

  private mutating func serverSend(_ stream: StreamID) throws(SimulationFailure) {
    guard let call = calls[stream] else { return }
    if !call.hasSentHeaders, call.responsesSent == 0, random.chance(30) {
      let result = server.connection.sendHeaders(stream, Metadata(), into: &server.output)
      try expectSent(result, "sendHeaders")
      calls[stream]?.hasSentHeaders = true
    }
    let index = call.responsesSent
    let result = server.connection.sendMessage(
      stream, messageCapacity: call.responses[index], into: &server.output
    ) { SimulatedMessage.write(stream, index, isRequest: false, to: $0) }
    say("server sends \(stream) #\(index) \(call.responses[index]) -> \(result)")
    try expectSent(result, "sendMessage")
    calls[stream]?.responsesSent += 1
    calls[stream]?.serverAwaitsWritable = result == .queued
  }

  private mutating func serverEnd(_ stream: StreamID) throws(SimulationFailure) {
    guard let call = calls[stream] else { return }
    let result: SendResult
    if call.endsWithMessage {
      let index = call.responsesSent
      result = server.connection.end(
        stream, messageCapacity: call.responses[index], into: &server.output
      ) { SimulatedMessage.write(stream, index, isRequest: false, to: $0) }
      calls[stream]?.responsesSent += 1
    } else {
      result = server.connection.end(stream, .ok, into: &server.output)
    }
    say("server ends \(stream) -> \(result)")
    try expectSent(result, "end")
    calls[stream]?.hasServerEnded = true
    calls[stream]?.status = .ok
  }

  private mutating func serverFail(_ stream: StreamID) throws(SimulationFailure) {
    try endWithError(stream, .aborted)
  }

  mutating func endWithError(
    _ stream: StreamID, _ code: StatusCode
  ) throws(SimulationFailure) {
    let result = server.connection.end(
      stream, Status(code: code, message: "simulated"), into: &server.output)
    say("server fails \(stream) \(code) -> \(result)")
    try expectSent(result, "end")
    calls[stream]?.hasServerEnded = true
    calls[stream]?.status = code
  }

  private mutating func serverRead(_ stream: StreamID) throws(SimulationFailure) {
    guard let size = calls[stream]?.serverInbox.first else { return }
    say("server reads \(stream) \(size)")
    calls[stream]?.serverInbox.removeFirst()
    server.connection.consumed(stream, size, into: &server.output)
  }

  private mutating func handlerReturns(_ stream: StreamID) throws(SimulationFailure) {
    say("handler returns \(stream)")
    server.connection.handlerEnded(stream, into: &server.output)
    calls[stream]?.hasHandlerReturned = true
    calls[stream]?.serverInbox = []
    forgetIfDone(stream)
  }

  // MARK: Both, and the pipe

  private mutating func ping() {
    guard !isOver else { return }
    pingsSent += 1
    let isClient = random.chance(50)
    let isSent =
      isClient
      ? client.connection.ping(pingsSent, now: now, into: &client.output)
      : server.connection.ping(pingsSent, now: now, into: &server.output)
    say("ping \(pingsSent) by \(isClient ? "client" : "server") -> \(isSent)")
  }

  private mutating func drain() {
    guard !isOver, !isDraining else { return }
    say("drain")
    isDraining = true
    server.connection.drain(now: now, into: &server.output)
  }

  private mutating func stall() {
    let until = now.advanced(byNanoseconds: Int64(random.number(0...300_000_000)))
    if random.chance(50) { toServer.stalledUntil = until } else { toClient.stalledUntil = until }
    say("stall")
  }

  private mutating func cut() {
    say("cut")
    isOver = true
    client.connection.transportEnded()
    server.connection.transportEnded()
  }

  private func expectSent(
    _ result: SendResult, _ operation: String
  ) throws(SimulationFailure) {
    switch result {
    case .sent, .queued, .dropped: return
    case .misuse(let misuse): throw failure("\(operation): \(misuse)")
    }
  }
}

extension SimulatedCall {
  var canClientSend: Bool {
    outcome == nil && !isHalfClosed && !clientAwaitsWritable && requestsSent < requests.count
  }

  var canHalfClose: Bool { outcome == nil && !isHalfClosed && requestsSent == requests.count }

  /// The handler runs and hasn't answered.
  var isRunning: Bool { isOnServer && !hasServerEnded && !hasHandlerReturned }

  private var responsesBeforeEnd: Int { responses.count - (endsWithMessage ? 1 : 0) }

  var canServerSend: Bool {
    isRunning && !serverAwaitsWritable && responsesSent < responsesBeforeEnd
  }

  var canServerEnd: Bool {
    isRunning && sawHalfClose && responsesSent == responsesBeforeEnd && serverInbox.isEmpty
  }

  var canReturn: Bool { isOnServer && hasServerEnded && !hasHandlerReturned }
}
