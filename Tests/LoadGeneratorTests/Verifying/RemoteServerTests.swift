import LoadReporting
import RPC
import RPCTransport
import Testing

@testable import LoadGenerator

/// Servers whose processes aren't on this machine, by what they say of themselves.
@Suite struct RemoteServerTests {
  private func plan(_ scenario: LoadScenario = .sessionReturn) -> LoadPlan {
    var plan = LoadPlan(scenario: scenario)
    plan.connections = 4
    plan.users = 10
    plan.seed = 3
    plan.warmup = .zero
    return plan
  }

  @Test func seriesAndCostsComeFromItsOwnWord() async throws {
    try await withLoginServer { server, group in
      var plan = plan()
      plan.warmup = .milliseconds(200)
      plan.duration = .milliseconds(2500)
      let run = try LoadRun(
        plan, products: nil, source: try server.source(group), loops: group.loops,
        status: MetricsStatus(server))
      let report = try await run.execute()
      #expect(report.verdict == .passed, "\(report.checks)")
      // Seconds that a busy machine answered no question in are empty.
      let told = report.series.filter { $0.serverDescriptors != nil }
      #expect(!told.isEmpty)
      for second in told {
        #expect(second.serverCores ?? 0 > 0)
        #expect(second.serverResidentBytes ?? 0 > 0)
        #expect(second.serverDescriptors == 33)
        #expect(second.serverContextSwitches ?? 0 > 0)
      }
      let process = try #require(report.server)
      #expect(process.pid == 4711)
      #expect(process.cpuNanoseconds > 0)
      #expect(report.serverCPUPerCall ?? 0 > 0)
      #expect(report.syncsPerCall ?? 0 > 0)
      #expect(report.contextSwitchesPerCall ?? 0 > 0)
      #expect(!report.sharesHost)
      #expect(report.serverFacts.build == "test 1 (debug)")
      let check = report.checks.first { $0.name == "server_counters_equal" }
      #expect(check?.checked == report.calls.sent)
      #expect(report.text(.plain).contains(" syncs · "))
      #expect(report.normalised.series.contains { $0.serverDescriptors == 33 })
    }
  }

  @Test func idleConnectionsCostMemoryByItsOwnWord() async throws {
    try await withLoginServer { server, group in
      var plan = plan(.idle)
      plan.connections = 5
      plan.duration = .milliseconds(10)
      let run = try LoadRun(
        plan, products: nil, source: try server.source(group), loops: group.loops,
        status: MetricsStatus(server))
      let report = try await run.execute()
      // It was asked with the first connection, before the wait and after it: two megabytes more.
      #expect(report.server?.residentBytesPerConnection == Double(2 << 20) / 4)
      #expect(report.server?.idleCPUNanoseconds == 10_000_000)
      #expect(report.text(.plain).contains("512 KiB of memory per idle connection"))
    }
  }

  @Test func serverThatMayNotBeAskedEndsTheRunBeforeTheLoad() async throws {
    try await withLoginServer { server, group in
      let refusal = RPCError(.permissionDenied, "no administrator", phase: .answered)
      let run = try LoadRun(
        plan(), products: nil, source: try server.source(group), loops: group.loops,
        status: MetricsStatus(server, error: refusal))
      let error = await #expect(throws: SetupError.self) { try await run.execute() }
      #expect(error?.code == .refused)
      #expect(error?.description.contains("no administrator") == true)
    }
  }
}
