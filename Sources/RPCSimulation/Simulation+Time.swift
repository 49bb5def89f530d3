import RPCCore

extension Simulation {
  /// Lets time pass; every timer fires when it is due.
  mutating func advance(_ nanoseconds: Int) throws(SimulationFailure) {
    let target = now.advanced(byNanoseconds: Int64(nanoseconds))
    while !isOver, let due = nextDeadline, due <= target {
      now = max(now, due)
      try tick()
      try transmit()
    }
    now = target
    guard !isOver else { return }
    try tick()
    guard !isOver else { return }
    try checkSilence()
    for stream in active { try checkExpired(stream) }
  }

  /// No call goes on after its deadline, on either side.
  private func checkExpired(_ stream: StreamID) throws(SimulationFailure) {
    guard let call = calls[stream] else { return }
    guard call.outcome != nil || call.deadline > now else {
      throw failure("\(stream) goes on at the client after its deadline")
    }
    guard !call.isRunning || call.serverDeadline > now else {
      throw failure("\(stream) goes on at the server after its deadline")
    }
  }

  /// Up to 40 s in which what is under way arrives and nothing else happens.
  mutating func pause() throws(SimulationFailure) {
    say("pause")
    for _ in 0..<decisions.number(1...80) where !isOver {
      try advance(500_000_000)
      try deliverToServer(.max >> 1)
      try deliverToClient(.max >> 1)
      try transmit()
    }
  }

  private var nextDeadline: MonotonicInstant? {
    guard let client = client.connection.nextDeadline else { return server.connection.nextDeadline }
    return server.connection.nextDeadline.map { min($0, client) } ?? client
  }

  private mutating func tick() throws(SimulationFailure) {
    try tickClient()
    try tickServer()
  }

  private mutating func tickClient() throws(SimulationFailure) {
    while !isOver {
      switch client.connection.tick(now: now, into: &client.output) {
      case .none: return try checkTimer(client.connection.nextDeadline, client.name)
      case .violation(let violation):
        let policy = client.connection.configuration.keepAlive
        try noteTimeout(violation, since: client.lastReceived, policy, client.name)
      case .outlived: throw failure("the client has a maximum age")
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
    while !isOver {
      switch server.connection.tick(now: now, into: &server.output) {
      case .none: return try checkTimer(server.connection.nextDeadline, server.name)
      case .violation(let violation):
        let policy = server.connection.configuration.keepAlive
        try noteTimeout(violation, since: server.lastReceived, policy, server.name)
      case .outlived: throw failure("the server has a maximum age")
      case .expired(let stream):
        say("server: \(stream) expires")
        guard let call = calls[stream], call.isRunning || call.end != nil else {
          throw failure("\(stream) expired, and no handler runs it")
        }
        report.expiredOnServer += 1
        if call.isRunning { try endWithError(stream, .deadlineExceeded) }
      }
    }
  }

  /// A timer that stays due after everything was done would spin.
  private func checkTimer(
    _ deadline: MonotonicInstant?, _ side: String
  ) throws(SimulationFailure) {
    if let deadline, deadline <= now { throw failure("the \(side)'s timer stays due") }
  }

  /// A peer may be given up only after it was silent for as long as it may be.
  private mutating func noteTimeout(
    _ violation: ProtocolViolation, since last: MonotonicInstant, _ policy: KeepAlivePolicy,
    _ side: String
  ) throws(SimulationFailure) {
    say("\(side) gives up: \(violation.text)")
    let silence = now.nanoseconds(since: last)
    switch violation.rule {
    case .keepAliveTimeout where silence >= policy.timeout.saturatedNanoseconds: break
    case .setupTimeout where now.nanoseconds(since: connected) >= 10_000_000_000: break
    default:
      throw failure("\(side): \(violation.text), after \(silence / 1_000_000) ms of silence")
    }
    report.silent += 1
    endConnection()
  }

  /// A peer that was silent for longer than the keep-alive allows must have been noticed.
  private func checkSilence() throws(SimulationFailure) {
    try checkSilence(
      client.longestSilence, client.lastReceived, client.busySince,
      client.connection.peer.isReceived, client.name)
    try checkSilence(
      server.longestSilence, server.lastReceived, server.busySince,
      server.connection.peer.isReceived, server.name)
  }

  private func checkSilence(
    _ longest: Int64?, _ last: MonotonicInstant, _ busySince: MonotonicInstant?, _ isSetUp: Bool,
    _ side: String
  ) throws(SimulationFailure) {
    guard isSetUp else {
      guard now.nanoseconds(since: connected) <= 10_000_000_000 else {
        throw failure("\(side) still waits for the SETUP")
      }
      return
    }
    guard let longest, let busySince else { return }
    guard now.nanoseconds(since: max(last, busySince)) <= longest else {
      throw failure("\(side) doesn't notice that its peer is silent")
    }
  }
}
