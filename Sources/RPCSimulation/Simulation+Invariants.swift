import RPCCore

extension Simulation {
  /// What has to hold after every step.
  mutating func checkInvariants() throws(SimulationFailure) {
    guard !isOver else { return }
    if let text = client.connection.inconsistency() { throw failure("client: \(text)") }
    if let text = server.connection.inconsistency() { throw failure("server: \(text)") }
    try checkSlots()
    try checkMemory()
    try checkDrain()
    guard client.connection.peer.isReceived, server.connection.peer.isReceived else { return }
    try checkConnectionCredit()
    for stream in active { try checkCredit(stream) }
  }

  private func checkSlots() throws(SimulationFailure) {
    let limit = plan.server.maximumConcurrentCalls
    guard server.connection.liveCalls <= limit else {
      throw failure("\(server.connection.liveCalls) calls are live, \(limit) are allowed")
    }
    let running = active.count {
      calls[$0]?.isOnServer == true && calls[$0]?.hasHandlerReturned == false
    }
    guard running <= limit else {
      throw failure("\(running) handlers run, \(limit) are allowed")
    }
  }

  /// What the server has said it doesn't run, it doesn't.
  private func checkDrain() throws(SimulationFailure) {
    guard let lastAccepted, lastAccepted != .last else { return }
    for stream in active where stream.rawValue > lastAccepted.rawValue {
      guard calls[stream]?.isOnServer == false else {
        throw failure("\(stream) runs, above the drain's last id \(lastAccepted)")
      }
    }
  }

  /// Parts of messages stay within the budget, and what waits to be sent is one message a call, and
  /// the one that came with the CALL or comes with the END.
  private func checkMemory() throws(SimulationFailure) {
    let held = (client.connection.heldBytes, server.connection.heldBytes)
    // A pool and a reserve of one message each, at least.
    let limits = (
      max(plan.client.reassemblyBudget, plan.client.maximumMessageSize),
      max(plan.server.reassemblyBudget, plan.server.maximumMessageSize)
    )
    guard held.0.reassembly <= limits.0, held.1.reassembly <= limits.1 else {
      throw failure("bytes of parts are held: \(held), budgets \(limits)")
    }
    guard !plan.ignoresBackPressure else { return }
    guard held.0.outbound <= client.connection.liveCalls * 2 * plan.largestMessage,
      held.1.outbound <= server.connection.liveCalls * 2 * plan.largestMessage
    else { throw failure("more waits to be sent than two messages a call: \(held)") }
  }

  /// The output is bounded by the high-water mark and what a step can add to it: one message in
  /// one frame, and the small frames.
  func checkOutput() throws(SimulationFailure) {
    let server = server.output.count
    let client = client.output.count
    let extra = ProtocolDefaults.framePayload + 20_000
    guard server <= plan.server.outputHighWater + extra,
      client <= plan.client.outputHighWater + extra
    else { throw failure("\(client) bytes wait in the client's output, \(server) in the server's") }
  }

  /// What one side may still send is what the other expects, less what is under way.
  private func checkConnectionCredit() throws(SimulationFailure) {
    let up = toServer.onTheWay(.connection)
    let down = toClient.onTheWay(.connection)
    let client = client.connection.creditState
    let server = server.connection.creditState
    try compare("connection, to the server", client, server, up.bytes, down.credit)
    try compare("connection, to the client", server, client, down.bytes, up.credit)
    // Arrival returns it at once: nothing is ever held.
    guard server.receiveAvailable + server.receivePending == server.receiveSize,
      client.receiveAvailable + client.receivePending == client.receiveSize
    else { throw failure("the connection's credit is held") }
  }

  private mutating func checkCredit(_ stream: StreamID) throws(SimulationFailure) {
    guard let client = client.connection.creditState(of: stream),
      let server = server.connection.creditState(of: stream)
    else { return }
    let up = toServer.onTheWay(stream)
    let down = toClient.onTheWay(stream)
    if !client.isLocalClosed {
      try compare("\(stream), to the server", client, server, up.bytes, down.credit)
    }
    if !server.isLocalClosed {
      try compare("\(stream), to the client", server, client, down.bytes, up.credit)
    }
    guard let call = calls[stream] else { return }
    try checkHeld(client, call.clientInbox, "\(stream) at the client")
    if call.isRunning, !call.sawHalfClose {
      try checkHeld(server, call.serverInbox, "\(stream) at the server")
    }
  }

  /// The credit that a stream doesn't have is that of messages which the application hasn't taken,
  /// and of parts that wait for the budget.
  private func checkHeld(
    _ state: Connection.CreditState, _ inbox: [Int], _ name: String
  ) throws(SimulationFailure) {
    let missing = state.receiveSize - state.receiveAvailable - state.receivePending
    let held = inbox.reduce(0, +) - state.returnedEarly + state.withheld
    guard missing == held else {
      throw failure("\(name): \(missing) bytes of credit are gone, \(held) are held for it")
    }
  }

  private func compare(
    _ name: String, _ sender: Connection.CreditState, _ receiver: Connection.CreditState,
    _ bytes: Int, _ credit: Int
  ) throws(SimulationFailure) {
    guard sender.sendWindow + bytes + credit == receiver.receiveAvailable else {
      throw failure(
        "credit of \(name): the sender has \(sender.sendWindow), \(bytes) bytes and "
          + "\(credit) credit are under way, the receiver expects \(receiver.receiveAvailable)")
    }
  }
}
