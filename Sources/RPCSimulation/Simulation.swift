import RPCCore

/// A client core and a server core, a virtual clock, and a pipe between them that splits, delays,
/// stalls and cuts; all of it decided by a seed.
///
/// After every step the books of both sides have to agree: credit, slots, and for each call that it
/// ends once and that its messages arrive once and in order. When the faults stop, everything has
/// to come to an end.
public struct Simulation: ~Copyable {
  let name: String
  let plan: SimulationPlan
  var decisions: DecisionSource
  var now = MonotonicInstant(nanoseconds: 1_000_000_000)
  var client: SimulatedEnd
  var server: SimulatedEnd
  var toServer = SimulatedPipe()
  var toClient = SimulatedPipe()
  var calls: [StreamID: SimulatedCall] = [:]
  /// Calls that are of interest still, in the order they were opened.
  var active: [StreamID] = []
  /// When the connection began.
  var connected: MonotonicInstant
  /// The connection has ended.
  var isOver = false
  var isDraining = false
  /// The last id of the server's last DRAIN that the client has seen.
  var lastAccepted: StreamID?
  var pingsSent: UInt64 = 0
  var step = 0
  var report = SimulationReport()
  let trace: ((String) -> Void)?

  private init(_ decisions: DecisionSource, name: String, trace: ((String) -> Void)?) {
    self.name = name
    self.trace = trace
    var decisions = decisions
    plan = SimulationPlan(&decisions)
    self.decisions = decisions
    client = SimulatedEnd(.client, plan.client, now)
    server = SimulatedEnd(.server, plan.server, now)
    connected = now
    report.connections = 1
  }

  /// Runs a seed to its end.
  /// - Parameter trace: is told each step, for people.
  /// - Throws: what is wrong, at the first step that shows it.
  public static func run(
    seed: UInt64, trace: ((String) -> Void)? = nil
  ) throws(SimulationFailure) -> SimulationReport {
    var simulation = Simulation(DecisionSource(seed: seed), name: "seed \(seed)", trace: trace)
    try simulation.run()
    return simulation.report
  }

  /// Runs what bytes decide: the plan, then each operation with what it needs to know. When they
  /// are used up the faults stop.
  /// - Parameter trace: is told each step, for people.
  /// - Throws: what is wrong, at the first step that shows it.
  public static func run(
    script: [UInt8], trace: ((String) -> Void)? = nil
  ) throws(SimulationFailure) -> SimulationReport {
    var simulation = Simulation(
      DecisionSource(script: script), name: "script of \(script.count) bytes", trace: trace)
    try simulation.run()
    return simulation.report
  }

  private mutating func run() throws(SimulationFailure) {
    let total = plan.weights.reduce(0) { $0 + $1.weight }
    for _ in 0..<plan.steps where !decisions.isUsedUp {
      step += 1
      var choice = decisions.number(0...max(0, total - 1))
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

  private mutating func perform(
    _ operation: SimulationPlan.Operation
  ) throws(SimulationFailure) {
    switch operation {
    case .deliverToServer: try deliverToServer(decisions.number(1...plan.largestPiece))
    case .deliverToClient: try deliverToClient(decisions.number(1...plan.largestPiece))
    case .advance: try advance(decisions.number(0...200_000_000))
    case .pause: try pause()
    case .ping: ping()
    case .drain: drain()
    case .stall: stall()
    case .silence: silence()
    case .close: try close()
    case .cut: try cut()
    default: try performOnCall(operation)
    }
  }

  /// Moves what both sides have written into the pipes.
  mutating func transmit() throws(SimulationFailure) {
    try moveOutput()
    // What there was no room for goes into the emptied output.
    client.connection.resume(into: &client.output)
    server.connection.resume(into: &server.output)
    try moveOutput()
    noteWritable()
    noteBusy()
  }

  private mutating func moveOutput() throws(SimulationFailure) {
    try checkOutput()
    toServer.accept(&client.output, arrival: arrival())
    toClient.accept(&server.output, arrival: arrival())
  }

  private mutating func arrival() -> MonotonicInstant? {
    guard plan.largestDelay > 0 else { return nil }
    return now.advanced(byNanoseconds: Int64(decisions.number(0...plan.largestDelay)))
  }

  private mutating func noteWritable() {
    while let stream = client.connection.popWritable() {
      calls[stream]?.clientAwaitsWritable = false
    }
    while let stream = server.connection.popWritable() {
      calls[stream]?.serverAwaitsWritable = false
    }
  }

  private mutating func noteBusy() {
    client.busySince = client.connection.liveCalls == 0 ? nil : client.busySince ?? now
    server.busySince = server.connection.liveCalls == 0 ? nil : server.busySince ?? now
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
    connected = now
    isOver = false
    isDraining = false
    lastAccepted = nil
    report.connections += 1
  }

  func say(_ text: @autoclosure () -> String) {
    trace?("\(step) @\(now.nanoseconds / 1_000_000)ms \(text())")
  }

  func failure(_ text: String) -> SimulationFailure {
    SimulationFailure(run: name, step: step, text: text)
  }
}
