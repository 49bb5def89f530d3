import RPCCore

/// What happens to the connection as a whole.
extension Simulation {
  mutating func ping() {
    guard !isOver else { return }
    pingsSent += 1
    // Apart from the numbers that a core counts up for its own PINGs.
    let value = UInt64.max - pingsSent
    let isClient = decisions.chance(50)
    let isSent =
      isClient
      ? client.connection.ping(value, now: now, into: &client.output)
      : server.connection.ping(value, now: now, into: &server.output)
    say("ping \(value) by \(isClient ? "client" : "server") -> \(isSent)")
    guard isSent else { return }
    if isClient { client.awaitedPong = value } else { server.awaitedPong = value }
  }

  mutating func drain() {
    guard !isOver, !isDraining else { return }
    say("drain")
    isDraining = true
    server.connection.drain(now: now, into: &server.output)
  }

  mutating func stall() {
    let longest = decisions.pick([300_000_000, 3_000_000_000]) ?? 0
    stall(until: now.advanced(byNanoseconds: Int64(decisions.number(0...longest))))
  }

  /// A peer that is gone without a word: only the keep-alive notices.
  mutating func silence() {
    stall(until: .distantFuture)
  }

  private mutating func stall(until: MonotonicInstant) {
    let isUp = decisions.chance(50)
    if isUp { toServer.stalledUntil = until } else { toClient.stalledUntil = until }
    say("nothing to the \(isUp ? "server" : "client") until \(until.nanoseconds / 1_000_000)ms")
  }

  /// Any part of what is under way arrives, perhaps of a frame, and then nothing.
  mutating func cut() throws(SimulationFailure) {
    guard !isOver else { return }
    say("cut")
    try deliverToServer(decisions.number(0...plan.largestPiece))
    try deliverToClient(decisions.number(0...plan.largestPiece))
    guard !isOver else { return }
    endConnection()
  }

  /// One side closes: the other gets all that was sent before, and the CLOSE.
  mutating func close() throws(SimulationFailure) {
    guard !isOver else { return }
    let isClient = decisions.chance(50)
    say("close by the \(isClient ? "client" : "server")")
    if isClient {
      client.connection.close(.goingAway, "simulated", into: &client.output)
    } else {
      server.connection.close(.goingAway, "simulated", into: &server.output)
    }
    toServer.accept(&client.output, arrival: nil)
    toClient.accept(&server.output, arrival: nil)
    if isClient { toServer.heal() } else { toClient.heal() }
    if isClient { try deliverToServer(.max >> 1) } else { try deliverToClient(.max >> 1) }
    guard isOver else { throw failure("the close didn't arrive") }
  }
}
