import RPCCore

extension Simulation {
  /// The faults have stopped: everything has to come to an end.
  mutating func finish() throws(SimulationFailure) {
    say("the faults stop")
    let last = step + 20_000
    var round = 0
    while !isOver {
      step += 1
      round += 1
      toServer.heal()
      toClient.heal()
      try deliverToServer(.max >> 1)
      try deliverToClient(.max >> 1)
      for operation in [
        SimulationPlan.Operation.clientSend, .clientHalfClose, .clientRead, .serverSend,
        .serverRead, .serverEnd, .handlerReturns,
      ] {
        for _ in 0..<max(1, active.count) { try performOnCall(operation) }
      }
      try transmit()
      try advance(round > 50 ? 20_000_000 : 0)
      try transmit()
      try checkInvariants()
      if try isFinished() { break }
      guard step < last else {
        throw failure("doesn't finish: \(active.count) calls are still there")
      }
    }
    try closeDrained()
    try settleLostCalls()
  }

  private mutating func isFinished() throws(SimulationFailure) -> Bool {
    guard active.isEmpty, toServer.isEmpty, toClient.isEmpty, client.output.isEmpty,
      server.output.isEmpty
    else { return false }
    let live = (client.connection.liveCalls, server.connection.liveCalls)
    guard live == (0, 0) else {
      throw failure(
        "all calls are over, \(live.0) are live on the client and \(live.1) on the server")
    }
    for (stream, call) in calls where call.outcome == nil {
      throw failure("\(stream) has no outcome")
    }
    let held = (client.connection.heldBytes, server.connection.heldBytes)
    guard held.0 == (0, 0), held.1 == (0, 0) else {
      throw failure("all calls are over, and bytes of messages are held: \(held)")
    }
    guard client.awaitedPong == nil, server.awaitedPong == nil else {
      throw failure("a PING wasn't answered")
    }
    guard !isDraining || server.connection.isDrained else {
      throw failure("nothing is under way, and the drain waits for its timer")
    }
    return true
  }

  /// A drain has ended: the server closes, and no call is lost by it.
  private mutating func closeDrained() throws(SimulationFailure) {
    guard isDraining, !isOver else { return }
    guard client.connection.isDrained else { throw failure("the client doesn't see the drain") }
    report.drained += 1
    server.connection.close(.normal, into: &server.output)
    toClient.accept(&server.output, arrival: nil)
    try deliverToClient(.max >> 1)
    guard isOver else { throw failure("the close didn't arrive") }
  }

  /// The connection is gone: every call that was live is lost, once.
  mutating func settleLostCalls() throws(SimulationFailure) {
    while let lost = client.connection.popLiveStream() {
      if lost.isNotStarted {
        guard calls[lost.stream]?.isOnServer == false else {
          throw failure("\(lost.stream) was started, and is said not to be")
        }
        try settle(lost.stream, .notStarted)
      } else {
        try settle(lost.stream, .lost)
      }
    }
    var lostOnServer: Set<StreamID> = []
    while let lost = server.connection.popLiveStream() {
      guard calls[lost.stream]?.isOnServer == true, lostOnServer.insert(lost.stream).inserted else {
        throw failure("\(lost.stream) is live on the server, which never told")
      }
    }
    for (stream, call) in calls {
      guard call.outcome != nil else {
        throw failure("\(stream) has no outcome after its connection was lost")
      }
      guard call.hasHandlerReturned || !call.isOnServer || lostOnServer.contains(stream) else {
        throw failure("the handler of \(stream) isn't told that its connection was lost")
      }
    }
  }
}
