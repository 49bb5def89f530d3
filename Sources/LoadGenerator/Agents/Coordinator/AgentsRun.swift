public import LoadReporting
public import RPCTransport

/// One load that several machines make together; this process is their coordinator and makes none
/// of it.
public final class AgentsRun: Sendable {
  /// Where the agents are and how they are recognised.
  public struct Agents: Sendable {
    /// At least one.
    public var endpoints: [Endpoint]

    /// Whom to trust, and what to come with: agents take nobody without a certificate.
    public var tls: ClientTLS

    /// Whether a run with a lost agent may pass.
    public var toleratesLoss: Bool

    /// How many one run may have.
    public static let most = 64

    /// Agents.
    ///
    /// - Throws: ``SetupError`` if there are none, too many, or one twice.
    public init(_ endpoints: [Endpoint], tls: ClientTLS, toleratesLoss: Bool) throws(SetupError) {
      guard (1...Agents.most).contains(endpoints.count) else {
        throw SetupError(
          .address, "--agents: \(endpoints.count) agents: expected from 1 to \(Agents.most)")
      }
      guard Set(endpoints).count == endpoints.count else {
        throw SetupError(.address, "--agents: the same agent is named twice")
      }
      (self.endpoints, self.tls, self.toleratesLoss) = (endpoints, tls, toleratesLoss)
    }
  }

  /// What the agents load.
  public struct Server: Sendable {
    /// As ``TargetList`` reads them; agents look names up themselves.
    public var targets: [String]

    /// Trusted certificates in PEM form; empty: those of each agent's system.
    public var ca = ""

    /// A client certificate and its key in PEM form; empty: none.
    public var certificate = ""
    public var key = ""

    /// In place of the targets' hosts; empty: the hosts.
    public var serverName = ""

    /// The server's certificate isn't checked.
    public var isInsecure = false

    /// Servers.
    public init(targets: [String]) {
      self.targets = targets
    }
  }

  let plan: LoadPlan
  let products: ProductPool?
  let server: Server
  let agents: Agents
  let loops: Int
  let version: String
  let commandLine: [String]
  let timing: Coordinator.Timing
  let events: RunEvents

  /// Where the servers' state is asked for; nil: nowhere.
  let status: (any ServerStatusSource)?

  /// Prepares a run.
  ///
  /// - Parameters:
  ///   - products: the identifiers that are asked for, for the scenarios that need them.
  ///   - loops: event loops of each agent.
  ///   - version: of the generator, which the agents have to have too.
  ///   - commandLine: for the report.
  ///   - control: what stops it early.
  ///   - status: where the coordinator asks for the servers' state; nil: nowhere.
  public convenience init(
    _ plan: LoadPlan, products: ProductPool?, server: Server, agents: Agents, loops: Int,
    version: String, commandLine: [String] = [], control: RunControl = RunControl(),
    status: (any ServerStatusSource)? = nil
  ) {
    self.init(
      plan, products: products, server: server, agents: agents, loops: loops, version: version,
      commandLine: commandLine, control: control, status: status,
      timing: Coordinator.Timing())
  }

  init(
    _ plan: LoadPlan, products: ProductPool?, server: Server, agents: Agents, loops: Int,
    version: String, commandLine: [String] = [], control: RunControl = RunControl(),
    status: (any ServerStatusSource)? = nil, timing: Coordinator.Timing
  ) {
    self.plan = plan
    self.products = products
    self.server = server
    self.agents = agents
    self.loops = loops
    self.version = version
    self.commandLine = commandLine
    self.timing = timing
    self.status = status
    events = control.events
  }

  /// Has the agents prepare, make the load and report.
  ///
  /// - Parameters:
  ///   - group: where the connections to the agents live.
  ///   - onStage: told what agents do before the load begins, with their names.
  ///   - onSecond: told about each second, of all agents together.
  /// - Throws: ``SetupError`` if it can't begin. What goes wrong later is in the report.
  public func execute(
    group: EventLoopGroup, onStage: (String) -> Void = { _ in },
    onSecond: (SecondFigures) -> Void = { _ in }
  ) async throws(SetupError) -> LoadReport {
    let shares = try (0..<agents.endpoints.count).map { index throws(SetupError) in
      try share(index)
    }
    let session = AgentsSession(run: self, shares: shares, group: group)
    return try await session.carryOut(onStage, onSecond)
  }

  /// What one agent is to do.
  private func share(_ index: Int) throws(SetupError) -> (share: LoadShare, connections: Int) {
    let part = try plan.share(index, of: agents.endpoints.count)
    let text: String
    do {
      text = try part.text()
    } catch {
      throw SetupError(.refused, "the plan can't be sent: \(error)")
    }
    let share = LoadShare(
      version: version, index: UInt32(index), count: UInt32(agents.endpoints.count), plan: text,
      targets: server.targets,
      trust: ServerTrust(
        ca: server.ca, certificate: server.certificate, key: server.key,
        serverName: server.serverName, insecure: server.isInsecure),
      products: products?.text ?? "", loops: UInt32(clamping: loops))
    return (share, part.connections)
  }
}

extension ProductPool {
  /// What its initializer reads.
  var text: String {
    items.map { item in
      let kind =
        switch item.kind {
        case .consumable: " consumable"
        case .other: " other"
        case .unknown: ""
        }
      return item.identifier + kind + "\n"
    }.joined()
  }
}
