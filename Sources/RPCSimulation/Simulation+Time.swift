import RPCCore

extension Simulation {
  mutating func advance(_ nanoseconds: Int) throws(SimulationFailure) {
    now = now.advanced(byNanoseconds: Int64(nanoseconds))
    guard !isOver else { return }
    try tickClient()
    try tickServer()
  }

  private mutating func tickClient() throws(SimulationFailure) {
    while true {
      switch client.connection.tick(now: now, into: &client.output) {
      case .none:
        return try checkTimer(client.connection.nextDeadline, "client")
      case .violation(let violation): throw failure("client: \(violation.text)")
      case .expired(let stream):
        say("client: \(stream) expires")
        guard client.connection.cancel(stream, into: &client.output) == .sent else {
          throw failure("\(stream) expired and can't be cancelled")
        }
        try settle(stream, .expired)
      }
    }
  }

  private mutating func tickServer() throws(SimulationFailure) {
    while true {
      switch server.connection.tick(now: now, into: &server.output) {
      case .none:
        return try checkTimer(server.connection.nextDeadline, "server")
      case .violation(let violation): throw failure("server: \(violation.text)")
      case .expired(let stream):
        say("server: \(stream) expires")
        guard calls[stream]?.isRunning == true || calls[stream]?.hasServerEnded == true else {
          throw failure("\(stream) expired, and no handler runs it")
        }
        if calls[stream]?.isRunning == true { try endWithError(stream, .deadlineExceeded) }
      }
    }
  }

  /// A timer that stays due after everything was done would spin.
  private func checkTimer(
    _ deadline: MonotonicInstant?, _ side: String
  ) throws(SimulationFailure) {
    if let deadline, deadline <= now { throw failure("the \(side)'s timer stays due") }
  }

  /// The faults have stopped: everything has to come to an end.
  mutating func finish() throws(SimulationFailure) {
    say("the faults stop")
    for round in 0..<20_000 where !isOver {
      step += 1
      toServer.stalledUntil = now
      toClient.stalledUntil = now
      try deliverToServer(.max >> 1)
      try deliverToClient(.max >> 1)
      for operation in [
        SimulationPlan.Operation.clientSend, .clientHalfClose, .clientRead, .serverSend,
        .serverRead, .serverEnd, .handlerReturns,
      ] {
        for _ in 0..<max(1, active.count) { try perform(operation) }
      }
      try transmit()
      try advance(round > 50 ? 20_000_000 : 0)
      try transmit()
      try checkInvariants()
      if try isFinished() { return }
    }
    try settleLostCalls()
  }

  private mutating func isFinished() throws(SimulationFailure) -> Bool {
    if step > plan.steps + 19_000 {
      throw failure("doesn't finish: \(active.count) calls are still there")
    }
    guard active.isEmpty, toServer.isEmpty, toClient.isEmpty, client.output.isEmpty,
      server.output.isEmpty
    else { return false }
    guard client.connection.liveCalls == 0, server.connection.liveCalls == 0 else {
      throw failure(
        "all calls are over, \(client.connection.liveCalls) are live on the client and"
          + " \(server.connection.liveCalls) on the server")
    }
    for (stream, call) in calls where call.outcome == nil {
      throw failure("\(stream) has no outcome")
    }
    guard !isDraining || server.connection.isDrained else { return false }
    return true
  }

  /// The connection is gone: every call that was live is lost, once.
  mutating func settleLostCalls() throws(SimulationFailure) {
    while let lost = client.connection.popLiveStream() { try settle(lost.stream, .lost) }
    while let lost = server.connection.popLiveStream() {
      guard calls[lost.stream]?.isOnServer == true else {
        throw failure("\(lost.stream) is live on the server, which never told")
      }
    }
    for (stream, call) in calls where call.outcome == nil {
      throw failure("\(stream) has no outcome after its connection was lost")
    }
  }
}
