import RPCCore

/// What went wrong in a run, and how to see it again.
public struct SimulationFailure: Error, Sendable, CustomStringConvertible {
  /// The run.
  public let seed: UInt64
  /// The step in which it was noticed.
  public let step: Int
  /// What is wrong.
  public let text: String

  /// One line.
  public var description: String { "seed \(seed), step \(step): \(text)" }
}

/// What happened in a run, added up.
public struct SimulationReport: Sendable, Equatable {
  /// Calls that were opened.
  public var calls = 0
  /// Calls that ended with the server's status.
  public var ended = 0
  /// Calls that were cancelled, expired, or lost with their connection.
  public var abandoned = 0
  /// Messages that arrived whole.
  public var messages = 0
  /// Connections that were used.
  public var connections = 0
  /// Steps.
  public var steps = 0

  /// Nothing happened yet.
  public init() {}

  /// Adds another run.
  public static func += (left: inout SimulationReport, right: SimulationReport) {
    left.calls += right.calls
    left.ended += right.ended
    left.abandoned += right.abandoned
    left.messages += right.messages
    left.connections += right.connections
    left.steps += right.steps
  }
}

/// A client core and a server core, a virtual clock, and a pipe between them that splits, delays,
/// stalls and cuts; all of it decided by a seed.
///
/// After every step the books of both sides have to agree: credit, slots, and for each call that it
/// ends once and that its messages arrive once and in order. When the faults stop, everything has
/// to come to an end.
public struct Simulation: ~Copyable {
  let seed: UInt64
  let plan: SimulationPlan
  var random: SeededRandom
  var now = MonotonicInstant(nanoseconds: 1_000_000_000)
  var client: SimulatedEnd
  var server: SimulatedEnd
  var toServer = SimulatedPipe()
  var toClient = SimulatedPipe()
  var calls: [StreamID: SimulatedCall] = [:]
  /// Calls that are of interest still, in the order they were opened.
  var active: [StreamID] = []
  var isOver = false
  var isDraining = false
  var pingsSent: UInt64 = 0
  var step = 0
  var report = SimulationReport()
  let trace: ((String) -> Void)?

  init(seed: UInt64, trace: ((String) -> Void)?) {
    self.seed = seed
    self.trace = trace
    random = SeededRandom(seed: seed)
    plan = SimulationPlan(&random)
    client = SimulatedEnd(.client, plan.client, now)
    server = SimulatedEnd(.server, plan.server, now)
    report.connections = 1
  }

  /// Runs a seed to its end.
  /// - Parameter trace: is told each step, for people.
  /// - Throws: what is wrong, at the first step that shows it.
  public static func run(
    seed: UInt64, trace: ((String) -> Void)? = nil
  ) throws(SimulationFailure) -> SimulationReport {
    var simulation = Simulation(seed: seed, trace: trace)
    try simulation.run()
    return simulation.report
  }

  private mutating func run() throws(SimulationFailure) {
    let total = plan.weights.reduce(0) { $0 + $1.1 }
    for _ in 0..<plan.steps {
      step += 1
      var choice = random.number(0...max(0, total - 1))
      for (operation, weight) in plan.weights {
        choice -= weight
        if choice < 0 {
          try perform(operation)
          break
        }
      }
      try transmit()
      try checkInvariants()
      if isOver { try reconnect() }
    }
    try finish()
    report.steps = step
  }

  /// Moves what both sides have written into the pipes.
  mutating func transmit() throws(SimulationFailure) {
    try checkOutput()
    toServer.accept(&client.output)
    toClient.accept(&server.output)
    client.connection.resume(into: &client.output)
    server.connection.resume(into: &server.output)
    try checkOutput()
    toServer.accept(&client.output)
    toClient.accept(&server.output)
    noteWritable()
  }

  private mutating func noteWritable() {
    while let stream = client.connection.popWritable() {
      calls[stream]?.clientAwaitsWritable = false
    }
    while let stream = server.connection.popWritable() {
      calls[stream]?.serverAwaitsWritable = false
    }
  }

  /// A new connection after the old one has ended.
  private mutating func reconnect() throws(SimulationFailure) {
    try settleLostCalls()
    say("reconnect")
    client = SimulatedEnd(.client, plan.client, now)
    server = SimulatedEnd(.server, plan.server, now)
    toServer = SimulatedPipe()
    toClient = SimulatedPipe()
    calls = [:]
    active = []
    isOver = false
    isDraining = false
    report.connections += 1
  }

  func say(_ text: @autoclosure () -> String) {
    trace?("\(step) @\(now.nanoseconds / 1_000_000)ms \(text())")
  }

  func failure(_ text: String) -> SimulationFailure {
    SimulationFailure(seed: seed, step: step, text: text)
  }
}
