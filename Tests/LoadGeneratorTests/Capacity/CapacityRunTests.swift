import LoadReporting
import Testing

@testable import LoadGenerator

@Suite struct CapacityRunTests {
  /// A report as of a run at that rate, with that 99th percentile.
  private func report(_ plan: LoadPlan, latency: UInt64, failed: Int = 0) -> LoadReport {
    var calls = CallFigures()
    calls.sent = 1000 + failed
    calls.ok = 1000
    calls.failed = failed
    for _ in 0..<1000 { calls.latency.record(latency) }
    var report = LoadReport(
      scenario: plan.title, commandLine: [], startedAt: 0, machine: Machine.current(),
      sharesHost: false, load: [], ending: .duration, seconds: 10, calls: calls, steps: [],
      connections: ConnectionFigures(), client: ProcessFigures(pid: 1, cpuNanoseconds: 0),
      server: nil, checks: [], series: [])
    report.delivery.planned = 1000
    report.delivery.ok = 1000
    return report
  }

  private func run(
    _ probe: (LoadPlan, Double) -> LoadReport
  ) async throws -> CapacityResult {
    var limits = CapacitySearch.Limits()
    limits.to = 10_000
    var plan = LoadPlan(scenario: .sessionCreate)
    plan.verifies = false
    plan.seed = 9
    plan.duration = .seconds(3)
    let criteria = try #require(CapacityCriteria(text: "p99<10ms"))
    return try await CapacityRun(plan, criteria: criteria, limits: limits).execute {
      plan throws(SetupError) in
      probe(plan, plan.stages[0].from)
    }
  }

  @Test func simulatedServerIsMeasured() async throws {
    var seeds: Set<UInt64> = []
    let result = try await run { plan, rate in
      #expect(plan.isOpenLoop && plan.duration == .seconds(3))
      seeds.insert(plan.seed)
      // Latency grows without bound towards 2000 per second, as of one server with a queue.
      let milliseconds = rate >= 2000 ? 1000 : 1 / (1 - rate / 2000)
      return report(plan, latency: UInt64(milliseconds * 1e6))
    }
    // 1 / (1 − rate/2000) = 10 at 1800.
    let capacity = try #require(result.capacity)
    #expect(capacity > 1700 && capacity <= 1800)
    #expect(result.confidence == .sure)
    #expect(seeds.count == result.probes.count, "each probe has users of its own")
    #expect(result.text.hasPrefix("session-create: 1,7"))
    #expect(result.json["capacity_per_second"]?.double == capacity)
    #expect(result.json["confidence"]?.string == "sure")
    #expect(result.json["probes"]?.elements?.count == result.probes.count)
    #expect(!result.isLimitedByGenerator)
  }

  @Test func generatorThatIsTheLimitIsNamed() async throws {
    let result = try await run { plan, rate in
      var report = report(plan, latency: 1_000_000)
      if rate > 1000 { report.saturation = ["busy"] }
      return report
    }
    #expect(result.isLimitedByGenerator)
    #expect((result.capacity ?? 0) <= 1000)
    #expect(result.text.contains("or more: beyond it the generator was the limit"))
  }

  @Test func failuresAndMissingDeliveryKeepARateFromHolding() throws {
    let criteria = try #require(CapacityCriteria(text: "p99 < 10ms"))
    let plan = LoadPlan(scenario: .sessionCreate)
    #expect(criteria.problems(of: report(plan, latency: 9_000_000)) == [])
    #expect(criteria.problems(of: report(plan, latency: 11_000_000)).count == 1)
    #expect(criteria.problems(of: report(plan, latency: 1, failed: 2)) == ["0.2 % failed"])
    var slow = report(plan, latency: 1)
    slow.delivery.planned = 2000
    #expect(criteria.problems(of: slow) == ["50 % were delivered"])
    var nothing = report(plan, latency: 1)
    nothing.calls = CallFigures()
    #expect(criteria.problems(of: nothing) == ["no call was answered rightly"])
  }

  @Test func criteriaAreRead() {
    #expect(
      CapacityCriteria(text: "p99<10ms") == CapacityCriteria(share: 0.99, latency: 10_000_000))
    #expect(
      CapacityCriteria(text: "max < 1s") == CapacityCriteria(share: 1, latency: 1_000_000_000))
    #expect(CapacityCriteria(text: "p99.9<0.5")?.latency == 500_000_000)
    for text in ["", "p99", "p99<", "p0<1s", "p101<1s", "p99>1s", "p99<-1s", "p99<0s", "x<1s"] {
      #expect(CapacityCriteria(text: text) == nil, "\(text)")
    }
  }
}
