import Foundation
import LoadReporting
import RPC
import RPCClient
import RPCTransport
import Testing

@testable import LoadGenerator

/// Coordinators and agents over TLS, in one process.
@Suite(.serialized) struct AgentsRunTests {
  private func plan(_ scenario: LoadScenario, calls: Int?) -> LoadPlan {
    var plan = LoadPlan(scenario: scenario)
    plan.connections = 7
    plan.inFlight = 2
    plan.duration = calls == nil ? .seconds(3600) : nil
    plan.warmup = .zero
    plan.callLimit = calls
    plan.users = 20
    plan.seed = 5
    return plan
  }

  private func run(
    _ plan: LoadPlan, _ server: LoginServer, _ agents: [AgentServer], control: RunControl = .init(),
    toleratesLoss: Bool = false, timing: Coordinator.Timing = .init(),
    status: (any ServerStatusSource)? = nil
  ) throws -> AgentsRun {
    var target = AgentsRun.Server(targets: ["127.0.0.1:\(server.port)"])
    target.ca = try String(contentsOfFile: server.certificates.path("ca.pem"), encoding: .utf8)
    return AgentsRun(
      plan, products: nil, server: target,
      agents: try AgentsRun.Agents(
        agents.map(\.endpoint), tls: AgentServer.tls(server.certificates),
        toleratesLoss: toleratesLoss),
      loops: 1, version: "1", control: control, status: status, timing: timing)
  }

  @Test("LG-07 the server has counted what all agents together have sent")
  func serverCountsWhatAllAgentsSent() async throws {
    try await withAgents(3) { server, agents, group in
      let run = try run(
        plan(.sessionReturn, calls: 2000), server, agents, status: MetricsStatus(server))
      let report = try await run.execute(group: group)
      #expect(report.verdict == .passed, "\(report.checks)")
      let check = try #require(report.checks.first { $0.name == "server_counters_equal" })
      // Beside the load, each agent looks at some sessions again.
      #expect(check.checked >= 2000 && check.checked < 2100)
      #expect(check.violations == 0)
      #expect(report.server?.pid == 4711)
      #expect(report.serverFacts.build == "test 1 (debug)")
      #expect(report.series.allSatisfy { $0.ok == 0 || $0.serverDescriptors != 0 })
    }
  }

  @Test func aCallTooManyAtTheServerFailsTheRunByName() async throws {
    try await withAgents(2) { server, agents, group in
      let run = try run(
        plan(.sessionReturn, calls: 100), server, agents, status: MetricsStatus(server, extra: 1))
      let report = try await run.execute(group: group)
      #expect(report.verdict == .checksViolated)
      let check = report.checks.first { $0.name == "server_counters_equal" }
      #expect(check?.sample?.contains("CreateSession") == true)
    }
  }

  @Test func serverThatMayNotBeAskedCallsTheRunOff() async throws {
    try await withAgents(2) { server, agents, group in
      let refusal = RPCError(.permissionDenied, "no administrator", phase: .answered)
      let run = try run(
        plan(.sessionReturn, calls: 10), server, agents,
        status: MetricsStatus(server, error: refusal))
      let error = await #expect(throws: SetupError.self) { try await run.execute(group: group) }
      #expect(error?.description.contains("no administrator") == true)
      // The agents are free again.
      let next = try self.run(plan(.sessionReturn, calls: 10), server, agents)
      for agent in agents { #expect(await agent.note("ended early") != nil) }
      #expect(try await next.execute(group: group).verdict == .passed)
    }
  }

  @Test(arguments: [1, 3])
  func agentsMakeTheLoadTogether(_ count: Int) async throws {
    try await withAgents(count) { server, agents, group in
      var stages: [String] = []
      let run = try run(plan(.sessionReturn, calls: 1000), server, agents)
      let report = try await run.execute(group: group, onStage: { stages.append($0) })
      #expect(report.verdict == .passed)
      #expect(report.calls.ok == 1000)
      #expect(report.calls.latency.count == 1000)
      #expect(report.connections.opened == 7)
      #expect(server.accepted == 7)
      #expect(report.agents.count == count)
      #expect(report.agents.allSatisfy { $0.state == .finished })
      #expect(report.agents.reduce(0) { $0 + $1.load.ok } == report.delivery.ok)
      #expect(report.agents.allSatisfy { $0.startLag >= 0 })
      #expect(report.series.reduce(0) { $0 + $1.ok } == 1000)
      #expect(report.checks.contains { $0.name == "session_tokens_unique" && $0.checked == 1000 })
      let across = report.checks.first { $0.name == "session_tokens_unique_across_agents" }
      #expect((across?.checked ?? 0) == (count > 1 ? 1000 : 0))
      for agent in agents {
        #expect(stages.contains { $0.hasPrefix("\(agent.endpoint): ") })
      }
    }
  }

  @Test func openLoopIsMadeOnceByAllTogether() async throws {
    try await withAgents(3) { server, agents, group in
      var plan = plan(.sessionReturn, calls: nil)
      plan.stages = [try LoadStage(from: 50, to: 150, duration: .seconds(2))]
      plan.duration = .seconds(2)
      let report = try await run(plan, server, agents).execute(group: group)
      #expect(report.delivery.planned == 200)
      #expect(report.calls.sent == 200 - report.delivery.unsent - report.delivery.skipped)
      #expect(report.calls.ok + report.calls.okOutside == report.calls.sent)
      #expect(report.agents.map(\.load.planned).allSatisfy { (66...67).contains($0) })
    }
  }

  @Test func eachAgentHasUsersOfItsOwn() async throws {
    try await withAgents(2) { server, agents, group in
      // A user who came twice wouldn't be new.
      let run = try run(plan(.sessionCreate, calls: 400), server, agents)
      let report = try await run.execute(group: group)
      #expect(report.verdict == .passed, "\(report.calls.failures.entries)")
      #expect(report.calls.ok == 400)
    }
  }

  @Test func insecureLoadsAreMarkedInTheReport() async throws {
    try await withAgents(2) { server, agents, group in
      var target = AgentsRun.Server(targets: ["127.0.0.1:\(server.port)"])
      target.isInsecure = true
      let run = AgentsRun(
        plan(.sessionReturn, calls: 20), products: nil, server: target,
        agents: try AgentsRun.Agents(
          agents.map(\.endpoint), tls: AgentServer.tls(server.certificates), toleratesLoss: false),
        loops: 1, version: "1")
      let report = try await run.execute(group: group)
      #expect(report.verdict == .passed)
      #expect(report.remarks.count { $0 == LoadReport.insecureRemark } == 1)
    }
  }

  @Test func interruptedRunGivesAPartialReport() async throws {
    try await withAgents(2) { server, agents, group in
      let control = RunControl()
      let run = try run(plan(.sessionReturn, calls: nil), server, agents, control: control)
      let report = try await run.execute(group: group, onSecond: { _ in control.stop() })
      #expect(report.verdict == .interrupted)
      #expect(report.calls.ok > 0)
      let calls = report.calls
      #expect(calls.sent == calls.ok + calls.okOutside + calls.failed + calls.unanswered)
      #expect(report.agents.allSatisfy { $0.state == .finished })
      for agent in agents { #expect(await agent.note("done") != nil) }
    }
  }

  @Test func lostAgentIsReportedAndMarksTheRun() async throws {
    for tolerates in [false, true] {
      try await withAgents(2) { server, agents, group in
        let control = RunControl()
        var plan = plan(.sessionReturn, calls: nil)
        plan.duration = .seconds(4)
        let run = try run(
          plan, server, agents, control: control, toleratesLoss: tolerates,
          status: MetricsStatus(server))
        var seconds = 0
        let victim = agents[1]
        let report = try await run.execute(
          group: group,
          onSecond: { _ in
            seconds += 1
            if seconds == 2 { Task { await victim.stop() } }
          })
        #expect(report.agents.map(\.state) == [.finished, .lost])
        #expect(report.agents[1].reason?.hasPrefix("after ") == true)
        #expect(report.agents[1].load.ok > 0)
        // What it had said when it joined.
        #expect(report.agents[1].machine == report.agents[0].machine)
        #expect(report.agents[1].machine.cores > 0)
        #expect(!report.checks.contains { $0.name == "server_counters_equal" })
        #expect(report.remarks.contains { $0.contains("counters aren't compared") })
        #expect(report.calls.ok > report.agents[1].load.ok)
        #expect(report.remarks.contains { $0.hasPrefix("LOST: \(victim.endpoint)") })
        #expect(report.verdict == (tolerates ? .passed : .failed))
        // The one that is left was heard to the end.
        #expect(report.series.count >= 4)
      }
    }
  }

  @Test func agentWithoutACoordinatorStopsItsLoad() async throws {
    try await withAgents(1) { server, agents, group in
      let link = AgentLink(
        agents[0].endpoint, tls: try AgentServer.tls(server.certificates), group: group)
      let share = try share(of: plan(.sessionReturn, calls: nil), server)
      let (seconds, told) = AsyncStream<Void>.makeStream()
      let making = Task {
        await link.makeShare(share) { word in
          switch word {
          case .message(.ready): Task { await link.start(at: ProcessClock.monotonic()) }
          case .second: told.yield()
          default: break
          }
        }
      }
      for await _ in seconds { break }
      await link.close()
      await making.value
      #expect(await agents[0].note("ended early") != nil)
      // It is free for the next.
      let next = try run(plan(.sessionReturn, calls: 50), server, agents)
      #expect(try await next.execute(group: group).verdict == .passed)
    }
  }

  private func share(of plan: LoadPlan, _ server: LoginServer) throws -> LoadShare {
    LoadShare(
      version: "1", index: 0, count: 1, plan: try plan.text(),
      targets: ["127.0.0.1:\(server.port)"], trust: ServerTrust(insecure: true))
  }

  @Test func agentServesOneRunAtATime() async throws {
    try await withAgents(1) { server, agents, group in
      let control = RunControl()
      let first = try run(plan(.sessionReturn, calls: nil), server, agents, control: control)
      let second = try run(plan(.sessionReturn, calls: 10), server, agents)
      let (begun, told) = AsyncStream<Void>.makeStream()
      let running = Task {
        try await first.execute(group: group, onSecond: { _ in told.yield() })
      }
      for await _ in begun { break }
      let error = await #expect(throws: SetupError.self) {
        try await second.execute(group: group)
      }
      #expect(error?.code == .refused)
      #expect(error?.description.contains("\(agents[0].endpoint): it makes another load") == true)
      // A share that comes all the same is refused with a typed error.
      let link = AgentLink(
        agents[0].endpoint, tls: try AgentServer.tls(server.certificates), group: group)
      let refused = try await refusal(link, try share(of: plan(.sessionReturn, calls: 1), server))
      #expect(refused?.description.contains("another load") == true)
      await link.close()
      control.stop()
      #expect(try await running.value.verdict == .interrupted)
    }
  }

  private func refusal(_ link: AgentLink, _ share: LoadShare) async throws -> SetupError? {
    let (words, tell) = AsyncStream<AgentLink.Word>.makeStream()
    await link.makeShare(share) { tell.yield($0) }
    tell.finish()
    for await word in words {
      if case .message(.refused(let error)) = word { return error }
    }
    return nil
  }

  @Test func versionsHaveToMatch() async throws {
    try await withAgents(2, versions: ["1", "2"]) { server, agents, group in
      let run = try run(plan(.sessionReturn, calls: 10), server, agents)
      let error = await #expect(throws: SetupError.self) { try await run.execute(group: group) }
      #expect(error?.code == .refused)
      for part in ["\(agents[1].endpoint)", "version 1", "agent 2"] {
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
      }
    }
  }

  @Test func agentsServeNobodyWithoutACertificate() async throws {
    try await withAgents(1) { server, agents, group in
      let run = AgentsRun(
        plan(.sessionReturn, calls: 10), products: nil, server: AgentsRun.Server(targets: ["h:1"]),
        agents: try AgentsRun.Agents(
          agents.map(\.endpoint),
          tls: AgentServer.tls(server.certificates, withCertificate: false), toleratesLoss: false),
        loops: 1, version: "1")
      let error = await #expect(throws: SetupError.self) { try await run.execute(group: group) }
      #expect(error?.code == .certificate, "\(error?.description ?? "")")
    }
  }

  @Test func whatTheLoadNeedsToBeginFailsTheRunWithItsKind() async throws {
    try await withAgents(2) { server, agents, group in
      var target = AgentsRun.Server(targets: ["127.0.0.1:\(server.port)"])
      target.ca = try String(
        contentsOfFile: server.certificates.path("other/ca.pem"), encoding: .utf8)
      let run = AgentsRun(
        plan(.sessionReturn, calls: 10), products: nil, server: target,
        agents: try AgentsRun.Agents(
          agents.map(\.endpoint), tls: AgentServer.tls(server.certificates), toleratesLoss: false),
        loops: 1, version: "1")
      let error = await #expect(throws: SetupError.self) { try await run.execute(group: group) }
      #expect(error?.code == .certificate)
      #expect(error?.description.contains("refused") == true, "\(error?.description ?? "")")
    }
  }

  @Test func agentRefusesMoreThanItPermits() async throws {
    var limits = AgentLimits()
    limits.connections = 3
    try await withAgents(2, limits: limits) { server, agents, group in
      let run = try run(plan(.sessionReturn, calls: 10), server, agents)
      let error = await #expect(throws: SetupError.self) { try await run.execute(group: group) }
      #expect(error?.description.contains("4 connections and it permits 3") == true)
    }
  }
}
