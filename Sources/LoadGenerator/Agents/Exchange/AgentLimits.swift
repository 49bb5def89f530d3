import RPC

/// What an agent lets a coordinator ask for. All of it is checked before anything is done.
public struct AgentLimits: Sendable {
  /// Connections of one load.
  public var connections = 100_000

  /// Calls under way at one time.
  public var callsUnderWay = 1_000_000

  /// Known users.
  public var users = 10_000_000

  /// Event loops, a thread each.
  public var loops = 64

  /// Parts of an open loop's course, and scenarios of a mix.
  public var stages = 1000
  public var scenarios = 64

  /// Warm-up and measured time, in seconds each.
  public var seconds = 86_400.0

  /// How far ahead the common start may lie, in seconds.
  public var startAhead = 60.0

  /// Bytes of a plan, of the products, and of each certificate file.
  public var planBytes = 1 << 20
  public var productsBytes = 8 << 20
  public var certificateBytes = 1 << 20

  /// What permits most loads.
  public init() {}

  /// The longest message of either side, in bytes: a share with all of its files, or a report.
  static let messageBytes = 16 << 20

  /// How many fingerprints an agent sends of each check at most; more are sampled.
  static let fingerprints = 1 << 20

  /// How many of them are in one message.
  static let fingerprintsPerMessage = 1 << 16

  /// Methods that an agent tells its calls of, at most.
  static let methods = 256

  /// Checks of one run that compare fingerprints, at most.
  static let fingerprintChecks = 16
}

extension AgentLimits {
  /// Checks the sizes of what came.
  ///
  /// - Throws: RESOURCE_EXHAUSTED (SHARE_TOO_LARGE), which names value and limit.
  func checkSizes(_ share: LoadShare) throws(RPCError) {
    try check("the plan's bytes", share.plan.utf8.count, planBytes)
    try check("the products' bytes", share.products.utf8.count, productsBytes)
    try check("targets", share.targets.count, TargetList.mostEndpoints)
    try check("loops", Int(share.loops), loops)
    let trust = share.trust ?? ServerTrust()
    for file in [trust.ca, trust.certificate, trust.key] {
      try check("a certificate file's bytes", file.utf8.count, certificateBytes)
    }
  }

  /// Checks what a plan asks for.
  ///
  /// - Throws: RESOURCE_EXHAUSTED (SHARE_TOO_LARGE), which names value and limit, or
  ///   INVALID_ARGUMENT (SHARE_INVALID).
  func check(_ plan: LoadPlan) throws(RPCError) {
    try checkCourse(plan)
    do throws(PlanError) {
      try plan.check()
    } catch {
      throw AgentError.invalid(error.description)
    }
    let made = plan.connections.multipliedReportingOverflow(by: plan.connectionsPerClient)
    try check("connections", made.overflow ? .max : made.partialValue, connections)
    try check("calls under way on a connection", plan.inFlight, callsUnderWay)
    try check("calls under way", plan.connections * plan.inFlight, callsUnderWay)
    for part in plan.parts.indices { try checkClients(plan.plan(ofPart: part), of: plan) }
    try check("users", plan.users, users)
    try check("identifiers of a list", plan.identifiersPerCall ?? 1, 10_000)
    if let calls = plan.callLimit { try check("calls", calls, Int.max) }
    guard plan.duration != nil || plan.callLimit != nil else {
      throw AgentError.invalid("the plan has no end")
    }
    try checkShares(plan)
  }

  /// What the simulated clients of one scenario may hold open.
  private func checkClients(_ part: LoadPlan, of whole: LoadPlan) throws(RPCError) {
    try check("connections of a burst", part.burst, 10_000)
    try check("streams of a client", part.watchers, 10_000)
    try check(
      "connections and streams",
      whole.connections * whole.inFlight * max(part.burst, part.watchers),
      part.scenario == .storm || part.scenario == .watch ? callsUnderWay : .max)
    try check("users", part.users, users)
  }

  /// Shares and weights of the scenarios.
  private func checkShares(_ plan: LoadPlan) throws(RPCError) {
    guard plan.burst >= 1, plan.watchers >= 1 else {
      throw AgentError.invalid("bursts of \(plan.burst), \(plan.watchers) watchers")
    }
    for share in [plan.unsupportedShare ?? 0, plan.repeatShare]
    where !(0...1).contains(share) {
      throw AgentError.invalid("a share of \(share)")
    }
    guard (0...10).contains(plan.zipf ?? 0) else {
      throw AgentError.invalid("an exponent of Zipf's law of \(plan.zipf ?? 0)")
    }
    guard (0...1).contains(plan.unknownShare) else {
      throw AgentError.invalid("a share of unknown identifiers of \(plan.unknownShare)")
    }
  }

  /// Everything that later sums and divisions rely on.
  private func checkCourse(_ plan: LoadPlan) throws(RPCError) {
    try check("stages", plan.stages.count, stages)
    try check("scenarios of the mix", plan.mix.count, scenarios)
    do throws(PlanError) {
      for stage in plan.stages {
        _ = try LoadStage(from: stage.from, to: stage.to, duration: stage.duration)
      }
      if let time = plan.thinkTime { _ = try ThinkTime(time.shortest, upTo: time.longest) }
    } catch {
      throw AgentError.invalid(error.description)
    }
    for part in plan.mix {
      for setting in part.settings where !LoadPlan.accepts(setting.name, setting.value) {
        throw AgentError.invalid(
          "\(setting.name)=\(setting.value) can't be set for a part of a mix")
      }
    }
    let times = [plan.duration, plan.warmup, plan.timeout, plan.thinkTime?.longest]
    for time in times.compactMap({ $0 }) + plan.stages.map(\.duration) {
      guard time >= .zero, time.inSeconds <= seconds else {
        throw AgentError.tooLarge(
          "a time of the plan in seconds", "\(time.inSeconds)", "\(seconds)")
      }
    }
    let whole = plan.stages.reduce(0) { $0 + $1.duration.inSeconds }
    guard whole <= seconds else {
      throw AgentError.tooLarge("the stages' seconds", "\(whole)", "\(seconds)")
    }
    try check("agents", plan.slice.count, AgentsRun.Agents.most)
    let numbers = [
      plan.connections, plan.connectionsPerClient, plan.inFlight, plan.slice.count,
      plan.callsPerConnection ?? 1, plan.maxInFlight ?? 1, plan.users, plan.callLimit ?? 1,
    ]
    for number in numbers where number < 1 {
      throw AgentError.invalid("a number of the plan is \(number): expected at least 1")
    }
    guard (0..<plan.slice.count).contains(plan.slice.index) else {
      throw AgentError.invalid("the agent's number is \(plan.slice.index) of \(plan.slice.count)")
    }
  }

  private func check(_ what: String, _ value: Int, _ limit: Int) throws(RPCError) {
    guard value <= limit else { throw AgentError.tooLarge(what, "\(value)", "\(limit)") }
    guard value >= 0 else { throw AgentError.invalid("\(what): \(value)") }
  }
}

/// The typed errors of ``LoadAgentService``.
enum AgentError {
  static let domain = "onside.load.v1"

  /// With which reason an agent refuses.
  enum Reason: String {
    case versionMismatch = "VERSION_MISMATCH"
    case busy = "AGENT_BUSY"
    case notExpected = "SHARE_NOT_EXPECTED"
    case invalid = "SHARE_INVALID"
    case tooLarge = "SHARE_TOO_LARGE"
    case setUpFailed = "SETUP_FAILED"
  }

  static func error(_ code: StatusCode, _ reason: Reason, _ text: String) -> RPCError {
    RPCError(code, text, info: ErrorInfo(reason: reason.rawValue, domain: domain))
  }

  static func versions(own: String, other: String) -> RPCError {
    error(
      .failedPrecondition, .versionMismatch,
      "the coordinator has the version \(other) and the agent \(own): use the same on both")
  }

  static func invalid(_ text: String) -> RPCError {
    error(.invalidArgument, .invalid, "the agent can't use its share: \(text)")
  }

  static func tooLarge(_ what: String, _ value: String, _ limit: String) -> RPCError {
    error(
      .resourceExhausted, .tooLarge, "\(what): \(value) is more than this agent permits (\(limit))")
  }

  /// What keeps the load from beginning, with its kind for the coordinator's exit code.
  static func setUp(_ failure: SetupError) -> RPCError {
    RPCError(
      .aborted, failure.description,
      info: ErrorInfo(
        reason: Reason.setUpFailed.rawValue, domain: domain,
        values: ["kind": "\(failure.code)"]))
  }

  /// What an agent's refusal means for the run; nil: it is no refusal.
  static func setUpError(_ error: RPCError) -> SetupError? {
    guard let info = error.info, info.domain == domain else { return nil }
    let kinds: [SetupError.Code] = [
      .address, .certificate, .resources, .products, .refused, .interrupted, .plan,
    ]
    let kind = info.values["kind"].flatMap { name in kinds.first { "\($0)" == name } }
    return SetupError(kind ?? .refused, error.message)
  }
}
