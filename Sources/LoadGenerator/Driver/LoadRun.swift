import LoadReporting
public import RPCTransport

/// One run of a load in a closed loop: each of `connections` × `inFlight` simulated clients begins
/// its next call when the one before has ended.
///
/// Latencies of a closed loop say how long calls take at full load; they leave out what a client
/// that calls at a given rate would have to wait.
public final class LoadRun: Sendable {
  let plan: LoadPlan
  let context: ScenarioContext
  let lanes: [LoadLane]
  let events: RunEvents

  /// What is heard of the run beside its report.
  let tap: RunTap?
  let commandLine: [String]

  /// Prepares a run.
  ///
  /// - Parameters:
  ///   - products: the identifiers that are asked for, for the scenarios that need them.
  ///   - source: makes the clients.
  ///   - loops: the event loops to use; the run doesn't shut them down.
  ///   - commandLine: for the report.
  ///   - control: what stops it early.
  /// - Throws: ``SetupError`` if the scenario needs products and there are none.
  public init(
    _ plan: LoadPlan, products: ProductPool?, source: any LoadClientSource, loops: [EventLoop],
    commandLine: [String] = [], control: RunControl = RunControl()
  ) throws(SetupError) {
    self.plan = plan
    self.commandLine = commandLine
    events = control.events
    tap = control.tap
    // No more loops than connections: the others would have nothing to do.
    let used = loops.prefix(max(1, plan.connections))
    context = try ScenarioContext(
      plan: plan, products: products, source: source, lanes: used.count)
    let (steps, checks) = LoadRun.figures(of: plan.scenario)
    lanes = used.enumerated().map { index, loop in
      LoadLane(index: index, loop: loop, steps: steps, checks: checks)
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
    do throws(SetupError) {
      try await session.setUp(onStage)
      try await tap?.beforeLoad()
    } catch {
      await session.tearDown()
      throw error
    }
    let report = await session.load(onSecond)
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
    case .purchase: (PurchaseSlot.Step.allCases.map(\.name), [])
    case .handshake: (HandshakeSlot.steps, [])
    }
  }
}
