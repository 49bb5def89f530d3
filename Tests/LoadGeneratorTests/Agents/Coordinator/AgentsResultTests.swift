import LoadReporting
import Testing

@testable import LoadGenerator

@Suite struct AgentsResultTests {
  private var head: LoadReport {
    LoadReport(
      scenario: "session-return", commandLine: ["onside-load"], startedAt: 1,
      machine: machine("coordinator"), sharesHost: false, load: [], ending: .duration, seconds: 0,
      calls: CallFigures(), steps: [], connections: ConnectionFigures(),
      client: ProcessFigures(pid: 0, cpuNanoseconds: 0), server: nil, checks: [], series: [])
  }

  private func machine(_ name: String) -> Machine {
    Machine(hostName: name, kernel: "Linux", cpuModel: "x", usableCores: 1, cores: 2)
  }

  /// A report of so many right answers, with everything in it that is merged.
  private func report(_ values: [UInt64], seconds: Double = 10) -> LoadReport {
    var report = head
    report.seconds = seconds
    for value in values {
      report.calls.latency.record(value)
      report.calls.latencyWithErrors.record(value)
      report.delivery.lag.record(value / 2)
    }
    (report.calls.sent, report.calls.ok) = (values.count, values.count)
    (report.delivery.sent, report.delivery.ok) = (values.count, values.count)
    report.delivery.planned = values.count
    var step = StepFigures(name: "buy")
    var phase = PhaseFigures(.rpc)
    for value in values {
      step.latency.record(value)
      phase.latency.record(value)
    }
    (report.steps, report.phases) = ([step], [phase])
    var scenario = ScenarioFigures(name: "purchase", weight: 2)
    scenario.calls = report.calls
    scenario.steps = [step]
    report.scenarios = [scenario]
    report.checks = [CheckResult(name: "tokens", title: "tokens", checked: values.count)]
    report.connections.opened = 3
    report.client = ProcessFigures(pid: 7, cpuNanoseconds: 100, residentBytes: 1000)
    report.agents = [
      AgentFigures(
        name: "", machine: machine("agent"), state: .finished, startLag: 500,
        load: report.delivery, process: report.client)
    ]
    return report
  }

  @Test func mergedHistogramsAreThoseOfAllValues() {
    var random = SeededRandom(seed: 11)
    let values = (0..<3).map { _ in
      (0..<700).map { _ in UInt64.random(in: 1...60_000_000_000, using: &random) }
    }
    let parts = values.enumerated().map { index, values in
      AgentsResult.Part(name: "agent-\(index):1", report: report(values))
    }
    let merged = AgentsResult(parts: parts, series: []).report(head)
    let whole = report(values.flatMap { $0 })
    #expect(merged.calls == whole.calls)
    #expect(merged.delivery.lag == whole.delivery.lag)
    #expect(merged.steps == whole.steps)
    #expect(merged.phases == whole.phases)
    #expect(merged.scenarios == whole.scenarios)
    #expect(merged.checks.first?.checked == 2100)
    #expect(merged.connections.opened == 9)
    #expect(merged.client.cpuNanoseconds == 300)
    #expect(merged.client.residentBytes == 3000)
    #expect(merged.seconds == 10)
    #expect(merged.verdict == .passed)
    #expect(merged.agents.map(\.name) == ["agent-0:1", "agent-1:1", "agent-2:1"])
  }

  @Test func lostAgentMarksTheRun() {
    var lost = AgentsResult.Part(name: "b:1", report: nil)
    var latency = LatencyHistogram()
    latency.record(5)
    let second = SecondFigures(
      second: 1, isMeasured: true, ok: 1, failed: 0, p50: 5, p99: 5, clientCores: 0.25)
    lost.told.add(ToldSecond(figures: second, latency: latency))
    lost.lostBecause = "the network"
    let there = AgentsResult.Part(name: "a:1", report: report([1, 2]))
    var result = AgentsResult(parts: [there, lost], series: [])
    let report = result.report(head)
    #expect(report.verdict == .failed)
    #expect(report.calls.ok == 3)
    #expect(report.calls.latency.count == 3)
    #expect(report.agents[1].state == .lost)
    #expect(report.agents[1].reason == "after 1 s: the network")
    #expect(report.agents[1].load.ok == 1)
    #expect(report.remarks.contains("LOST: b:1 after 1 s: the network"))
    result.toleratesLostAgents = true
    #expect(result.report(head).verdict == .passed)
    // Also after it was written and read.
    #expect(result.report(head).normalised.verdict == .passed)
    #expect(report.normalised.verdict == .failed)
  }

  @Test func withoutAnyAgentTheRunFails() {
    var part = AgentsResult.Part(name: "a:1", report: nil)
    part.lostBecause = "gone"
    var result = AgentsResult(parts: [part], series: [])
    result.toleratesLostAgents = true
    let report = result.report(head)
    #expect(report.verdict == .failed)
    #expect(report.ending == .aborted("all agents were lost"))
  }

  @Test func repetitionsAcrossAgentsFailTheRunByName() {
    let parts = ["a:1", "b:1"].map { name in
      var part = AgentsResult.Part(name: name, report: report([1]))
      part.samples["tokens"] = FingerprintSample(zeroBits: 0, values: [1, 2])
      return part
    }
    let merged = AgentsResult(parts: parts, series: []).report(head)
    #expect(merged.verdict == .checksViolated)
    #expect(merged.checks.last?.name == "tokens_across_agents")
    #expect(merged.checks.last?.violations == 2)
  }

  @Test func saturationNamesTheAgent() {
    var saturated = report([1])
    saturated.saturation = ["no CPU left"]
    let part = AgentsResult.Part(name: "a:1", report: saturated)
    let merged = AgentsResult(parts: [part], series: []).report(head)
    #expect(merged.saturation == ["a:1: no CPU left"])
    #expect(merged.verdict == .saturated)
  }
}
