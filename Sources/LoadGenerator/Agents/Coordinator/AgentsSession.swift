import LoadReporting
import OnsideProto
import RPCTransport

/// The course of one run with agents: carries out what the ``Coordinator`` says.
struct AgentsSession {
  /// What the session waits for.
  private enum Event: Sendable {
    case word(agent: Int, AgentLink.Word)
    case tick
    case stopped
  }

  let run: AgentsRun
  private let shares: [(share: LoadShare, connections: Int)]
  let links: [AgentLink]
  private let events: AsyncStream<Event>
  private let tell: AsyncStream<Event>.Continuation
  private let loop: EventLoop
  let sampler: ServerSampler?
  private let startedAt = ProcessClock.wallMilliseconds()

  init(
    run: AgentsRun, shares: [(share: LoadShare, connections: Int)], group: EventLoopGroup
  ) {
    self.run = run
    self.shares = shares
    links = run.agents.endpoints.map { AgentLink($0, tls: run.agents.tls, group: group) }
    (events, tell) = AsyncStream.makeStream()
    loop = group.first
    sampler = run.status.map(ServerSampler.init)
  }

  /// What is known while it goes on.
  struct Course {
    var coordinator: Coordinator
    var merge: SecondMerge
    var reports: [Int: LoadReport] = [:]
    var samples: [[String: FingerprintSample]]
    var exchanges: [Int: [String: ExchangeCounts]] = [:]
    var machines: [Int: Machine] = [:]

    /// The servers' states from before the load; nil: they weren't asked.
    var before: [GetServerStatusResponse]?
    var opening: ProcessMeter.Reading?
    var closing: ProcessMeter.Reading?

    /// What was known of the server when the last second was put together.
    var lastReading: ProcessMeter.Reading?
    var serverState: ServerTimeline.State?
    var isOver = false
    var failure: SetupError?
  }

  func carryOut(
    _ onStage: (String) -> Void, _ onSecond: (SecondFigures) -> Void
  ) async throws(SetupError) -> LoadReport {
    let names = run.agents.endpoints.map(\.description)
    let meter = ProcessMeter(server: run.plan.serverProcess)
    var course = Course(
      coordinator: Coordinator(names, timing: run.timing),
      merge: SecondMerge(agents: names.count),
      samples: Array(repeating: [:], count: names.count))
    let watching = watch()
    onStage("asking \(names.count) agents")
    for agent in links.indices { describe(agent) }
    for await event in events {
      let now = ProcessClock.monotonic()
      var actions: [Coordinator.Action] = []
      switch event {
      case .tick: actions = course.coordinator.tick(now: now)
      case .stopped: actions = course.coordinator.interrupt(now: now)
      case .word(let agent, let word):
        if case .stage(let text) = word { onStage("\(names[agent]): \(text)") }
        actions = hear(word, of: agent, &course, now: now)
      }
      if let problem = await askServers(actions, &course) {
        actions = course.coordinator.callOff(problem)
      }
      if actions.contains(where: \.isStart) {
        course.opening = meter.read()
        course.lastReading = course.opening
        course.serverState = sampler?.states.states.last
        sampler?.begin(at: now &+ run.timing.lead)
      }
      for action in actions { perform(action, &course) }
      for figures in newSeconds(&course, meter) { onSecond(figures) }
      if course.isOver { break }
    }
    for task in watching { task.cancel() }
    run.events.finish()
    await withTaskGroup { group in
      for link in links { group.addTask { await link.close() } }
    }
    if let failure = course.failure { throw failure }
    await sampler?.end()
    var report = report(course, names, meter)
    await addServers(to: &report, course)
    return report
  }

  /// Time, and whoever stops the run.
  private func watch() -> [Task<Void, Never>] {
    let ticking = Task { [tell] in
      while !Task.isCancelled {
        try? await Task.sleep(for: .milliseconds(200))
        tell.yield(.tick)
      }
    }
    let stopping = Task { [tell, events = run.events] in
      for await event in events.stream {
        if case .stopped = event { tell.yield(.stopped) }
      }
    }
    return [ticking, stopping]
  }

  private func describe(_ agent: Int) {
    let (link, connections) = (links[agent], shares[agent].connections)
    Task { [tell, version = run.version] in
      let message = await link.describe(version: version, connections: connections) {
        tell.yield(.word(agent: agent, $0))
      }
      tell.yield(.word(agent: agent, .message(message)))
    }
  }

  /// Keeps what an agent says.
  private func hear(
    _ word: AgentLink.Word, of agent: Int, _ course: inout Course, now: UInt64
  ) -> [Coordinator.Action] {
    switch word {
    case .message(let message): return course.coordinator.agent(agent, message, now: now)
    case .report(let report): course.reports[agent] = report
    case .exchanges(let exchanges): course.exchanges[agent] = exchanges
    case .machine(let machine): course.machines[agent] = machine
    case .stage: break
    case .second(let second):
      // One that was given up may still have something on its way.
      if course.coordinator.states[agent] == .running { course.merge.add(second, of: agent) }
    case .fingerprints(let check, let sample):
      guard course.samples[agent].count < AgentLimits.fingerprintChecks,
        (course.samples[agent][check]?.values.count ?? 0) <= AgentLimits.fingerprints
      else { break }
      course.samples[agent][check, default: .init(zeroBits: sample.zeroBits, values: [])]
        .values += sample.values
    }
    return []
  }

  private func perform(_ action: Coordinator.Action, _ course: inout Course) {
    switch action {
    case .prepare(let agent):
      let (link, share) = (links[agent], shares[agent].share)
      Task { [tell] in
        await link.makeShare(share) { tell.yield(.word(agent: agent, $0)) }
      }
    case .measureClock(let agent):
      let link = links[agent]
      Task { [tell] in
        tell.yield(.word(agent: agent, .message(await link.measureClock())))
      }
    case .start(let agent, let instant):
      let link = links[agent]
      Task { await link.start(at: instant) }
    case .stop(let agent):
      let link = links[agent]
      Task { await link.stop() }
    case .abandon(let agent): links[agent].abandon()
    case .fail(let error):
      course.failure = error
      course.isOver = true
    case .complete: course.isOver = true
    }
  }

  private func report(_ course: Course, _ names: [String], _ meter: ProcessMeter) -> LoadReport {
    var result = AgentsResult(
      parts: names.enumerated().map { agent, name in
        var part = AgentsResult.Part(name: name, report: course.reports[agent])
        part.told = course.merge.totals[agent]
        part.samples = course.samples[agent]
        part.machine = course.machines[agent]
        if case .lost(let reason) = course.coordinator.states[agent] {
          part.lostBecause = reason
          part.report = nil
        }
        return part
      }, series: course.merge.series)
    result.isInterrupted = course.coordinator.isStopped
    result.toleratesLostAgents = run.agents.toleratesLoss
    result.clockUncertainty = course.coordinator.uncertainty ?? 0
    var server: ProcessFigures?
    if let opening = course.opening, let closing = course.closing {
      server = meter.serverFigures(from: opening, to: closing)
    }
    return result.report(
      LoadReport(
        scenario: run.plan.title, commandLine: run.commandLine, startedAt: startedAt,
        machine: Machine.current(), sharesHost: server != nil,
        load: run.plan.members(loops: run.loops), ending: .duration, seconds: 0,
        calls: CallFigures(), steps: [], connections: ConnectionFigures(),
        client: ProcessFigures(pid: 0, cpuNanoseconds: 0), server: server, checks: [], series: []))
  }
}
