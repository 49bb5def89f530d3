import OnsideClient
import OnsideProto
import RPC
import RPCClient

/// Many connections at once: one call of the scenario makes a burst of them, and a session on each.
/// It ends when the last session is there, or has failed.
final class StormSlot: Slot, @unchecked Sendable {
  /// The two kinds of handshakes, TCP included, and from a connection's begin to its session.
  static let steps = HandshakeSlot.steps + ["connection with session"]
  private static let whole = 2

  private let users: SharedTurn
  private let context: ScenarioContext
  private var clients: [any LoadClient] = []
  private var waitingFor = 0
  private var failures = 0
  private var failure: Failure?

  private enum Failure {
    case refused(RPCError)
    case check(String)
  }

  init(_ lane: LoadLane, users: SharedTurn, context: ScenarioContext) {
    self.users = users
    self.context = context
    super.init(lane)
  }

  override func begin() {
    (failures, failure) = (0, nil)
    waitingFor = context.plan.burst
    // All of them before the first is looked at: they end one after the other.
    clients = (0..<context.plan.burst).map { _ in makeClient() }
    for client in clients { start(client) }
  }

  private func makeClient() -> any LoadClient {
    context.source.makeClient(
      onLoop: lane.index, resumes: lane.resumption.take(),
      onEvent: { [weak self] in self?.connectionEvent($0) },
      onAnswer: { [weak self] in self?.lane.answered($0) })
  }

  private func start(_ client: any LoadClient) {
    let started = ProcessClock.monotonic()
    lane.tally.began(LoginServiceMethods.createSession)
    context.logIn(
      users.turn.take(), over: client, answered: { [self] in take($0, started) },
      refused: { [self] in refused($0.callFailure) })
  }

  private func connectionEvent(_ event: ConnectionEvent) {
    switch event {
    case .opened(let info):
      stepped(
        info.isResumed ? 1 : 0, took: info.duration.inNanoseconds, now: ProcessClock.monotonic())
      lane.connectionEvent(event)
      lane.connectionLeaves()
    case .failed: lane.connectionEvent(event)
    // Closed by this side; a connection that is lost earlier fails its call.
    case .closed: lane.connectionEvent(event, endIsExpected: true)
    }
  }

  private func take(_ answer: DirectLogin.Answer, _ started: UInt64) {
    let now = ProcessClock.monotonic()
    lane.tally.ended(LoginServiceMethods.createSession, nil)
    if let problem = answer.problem(isNew: false) {
      failures += 1
      if failure == nil { failure = .check(problem) }
    } else {
      lane.figures.fingerprints.append(answer.session.token)
      stepped(Self.whole, took: now &- started, now: now)
    }
    oneIsOver()
  }

  private func refused(_ error: RPCError) {
    lane.tally.ended(LoginServiceMethods.createSession, error)
    failures += 1
    if failure == nil { failure = .refused(error) }
    oneIsOver()
  }

  private func oneIsOver() {
    waitingFor -= 1
    guard waitingFor == 0 else { return }
    closeClients()
    let share = failures > 1 ? "\(failures) of \(context.plan.burst) connections: " : ""
    switch failure {
    case nil: succeed()
    case .check(let problem): fail(check: share + problem)
    case .refused(var error):
      error.message = share + error.message
      fail(error)
    }
  }

  /// The next burst doesn't wait for the goodbyes.
  private func closeClients() {
    let over = clients
    clients = []
    Task {
      for client in over { await client.close() }
    }
  }
}
