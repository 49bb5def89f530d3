import LoadReporting
public import RPCTransport

/// One run of a load.
///
/// In a closed loop each of `connections` × `inFlight` simulated clients begins its next call when
/// the one before has ended: latencies say how long calls take at full load, and leave out what a
/// client that calls at a given rate would have to wait. In an open loop calls begin when the plan
/// says so, and latencies count from there.
public final class LoadRun: Sendable {
  let plan: LoadPlan

  /// One for each scenario of the mix, as if it were alone.
  let contexts: [ScenarioContext]
  let drivers: [LoadDriver]
  let events: RunEvents

  /// What is heard of the run beside its report.
  let tap: RunTap?
  let commandLine: [String]

  /// Milliseconds since 1970 UTC; for the report's head alone.
  let wallClock: @Sendable () -> Int64

  /// Where the server's state is asked for; nil: nowhere.
  let status: (any ServerStatusSource)?

  /// Prepares a run.
  ///
  /// - Parameters:
  ///   - products: the identifiers that are asked for, for the scenarios that need them.
  ///   - source: makes the clients.
  ///   - loops: the event loops to use; the run doesn't shut them down.
  ///   - commandLine: for the report.
  ///   - control: what stops it early.
  ///   - status: where the servers' state is asked for before and after the load; nil: nowhere.
  /// - Throws: ``SetupError`` if the scenario needs products and there are none, or if the plan
  ///   contradicts itself.
  public convenience init(
    _ plan: LoadPlan, products: ProductPool?, source: any LoadClientSource, loops: [EventLoop],
    commandLine: [String] = [], control: RunControl = RunControl(),
    status: (any ServerStatusSource)? = nil
  ) throws(SetupError) {
    try self.init(
      plan, products: products, source: source, loops: loops, commandLine: commandLine,
      control: control, status: status, wallClock: ProcessClock.wallMilliseconds)
  }

  init(
    _ plan: LoadPlan, products: ProductPool?, source: any LoadClientSource, loops: [EventLoop],
    commandLine: [String] = [], control: RunControl = RunControl(),
    status: (any ServerStatusSource)? = nil,
    wallClock: @escaping @Sendable () -> Int64
  ) throws(SetupError) {
    do throws(PlanError) {
      try plan.check()
    } catch {
      throw SetupError(.plan, error.description)
    }
    self.plan = plan
    self.status = status
    self.commandLine = commandLine
    self.wallClock = wallClock
    events = control.events
    tap = control.tap
    // No more loops than connections: the others would have nothing to do.
    let used = Array(loops.prefix(max(1, plan.connections)))
    var contexts: [ScenarioContext] = []
    for index in plan.parts.indices {
      contexts.append(
        try ScenarioContext(
          plan: plan.plan(ofPart: index), products: products, source: source, lanes: used.count))
    }
    self.contexts = contexts
    drivers = used.enumerated().map { index, loop in
      let lanes = contexts.map { context in
        let (steps, checks) = LoadRun.figures(of: context.plan.scenario)
        return LoadLane(
          index: index, loop: loop, steps: steps, checks: checks, serviceTime: plan.serviceTime,
          thinkTime: context.plan.thinkTime, resumption: ResumptionTurn(context.plan))
      }
      return LoadDriver(
        index: index, loop: loop, lanes: lanes, rules: plan.rules(loop: index, of: used.count))
    }
  }

  /// Connects, makes the load, and reports.
  ///
  /// - Parameters:
  ///   - onStage: told what is being done before the load begins.
  ///   - onSecond: told about each second of it.
  /// - Throws: ``SetupError`` if it can't begin. What goes wrong later is in the report.
  public func execute(
    onStage: (String) -> Void = { _ in }, onSecond: (SecondFigures) -> Void = { _ in }
  ) async throws(SetupError) -> LoadReport {
    let meter = ProcessMeter(server: plan.serverProcess)
    var session = RunSession(run: self, meter: meter)
    let baseline: RunSession.Baseline
    do throws(SetupError) {
      try await session.setUp(onStage)
      baseline = try await session.baseline()
      try await tap?.beforeLoad()
    } catch {
      await session.tearDown()
      throw error
    }
    var report = await session.load(onSecond)
    await session.verify(&report, since: baseline)
    await session.tearDown()
    return report
  }

  /// The steps and checks of a scenario.
  private static func figures(
    of scenario: LoadScenario
  ) -> (steps: [String], checks: [CheckResult]) {
    switch scenario {
    case .sessionCreate, .sessionReturn, .idle: ([], [])
    case .productFilter: ([], [ProductSlot.check])
    case .purchase, .journey:
      (PurchaseSlot.Step.allCases.map(\.name), [PurchaseSlot.check])
    case .watch: (WatchSlot.Step.allCases.map(\.name), [WatchSlot.check])
    case .handshake: (HandshakeSlot.steps, [])
    case .storm: (StormSlot.steps, [])
    }
  }
}

extension LoadPlan {
  /// What one loop's driver has to know.
  func rules(loop: Int, of loops: Int) -> LoadDriver.Rules {
    LoadDriver.Rules(
      overload: overload,
      maxInFlight: maxInFlight.map { share(of: $0, loop: loop, of: loops) } ?? .max,
      resumption: ResumptionTurn(self))
  }

  /// A loop's share of a number that holds for all loops together.
  func share(of whole: Int, loop: Int, of loops: Int) -> Int {
    whole / loops + (loop < whole % loops ? 1 : 0)
  }
}
