import OnsideClient
import RPC
import RPCClient

/// Makes a connection, a session on it, and closes it: one call of the scenario.
final class HandshakeSlot: Slot, @unchecked Sendable {
  /// The two kinds of handshakes, TCP included, as steps of the report.
  static let steps = ["connect, full", "connect, resumed"]

  private let users: SharedTurn
  private let context: ScenarioContext
  private var client: (any LoadClient)?
  private var connected: (step: Int, duration: UInt64)?

  init(_ lane: LoadLane, users: SharedTurn, context: ScenarioContext) {
    self.users = users
    self.context = context
    super.init(lane)
  }

  override func begin() {
    connected = nil
    let client = context.source.makeClient(
      onLoop: lane.index, resumes: lane.resumption.take(),
      onEvent: { [weak self] in self?.connectionEvent($0) },
      onAnswer: { [weak self] in self?.lane.answered($0) })
    self.client = client
    context.logIn(
      users.turn.take(), over: client, answered: { [self] in take($0) },
      refused: { [self] in refused($0) })
  }

  private func connectionEvent(_ event: ConnectionEvent) {
    switch event {
    case .opened(let info):
      connected = (info.isResumed ? 1 : 0, info.duration.inNanoseconds)
      lane.connectionEvent(event)
      lane.connectionLeaves()
    case .failed: lane.connectionEvent(event)
    // Closed by this side; a connection that is lost earlier fails its call.
    case .closed: lane.connectionEvent(event, endIsExpected: true)
    }
  }

  private func take(_ answer: DirectLogin.Answer) {
    let now = ProcessClock.monotonic()
    closeClient()
    if let problem = answer.problem(isNew: false) { return fail(check: problem) }
    lane.figures.fingerprints.append(answer.session.token)
    if let connected { stepped(connected.step, took: connected.duration, now: now) }
    succeed(now: now)
  }

  private func refused(_ error: OnsideError) {
    closeClient()
    fail(error)
  }

  /// The next call doesn't wait for the goodbye.
  private func closeClient() {
    guard let client else { return }
    self.client = nil
    Task { await client.close() }
  }
}
