import LoadReporting
import RPC
import RPCTransport
import Synchronization
import Testing

@testable import LoadGenerator

/// Open loops on real event loops, with a server in memory.
@Suite struct OpenLoopRunTests {
  private func plan(_ scenario: LoadScenario, rate: Double, seconds: Double) throws -> LoadPlan {
    var plan = LoadPlan(scenario: scenario)
    plan.verifies = false
    plan.stages = [try LoadStage(rate: rate, duration: .seconds(seconds))]
    plan.duration = .seconds(seconds)
    plan.warmup = .zero
    plan.connections = 4
    plan.inFlight = 4
    plan.users = 10
    plan.seed = 7
    return plan
  }

  private func run(_ plan: LoadPlan, on server: ScriptedServer) async throws -> LoadReport {
    let products = try ProductPool(ScriptedMarketplace.pool, source: "test")
    return try await LoadRun(plan, products: products, source: server, loops: server.loops)
      .execute()
  }

  private func marketplace(_ loops: [EventLoop]) -> ScriptedServer {
    let marketplace = ScriptedMarketplace()
    return ScriptedServer(loops: loops) { method, request, _ in
      marketplace.reply(method, request)
    }
  }

  @Test(arguments: [1, 2], ArrivalSchedule.Spacing.allCases)
  func allPlannedCallsAreAccountedFor(_ loops: Int, _ spacing: ArrivalSchedule.Spacing) async throws
  {
    try await withLoops(loops) { loops in
      let server = marketplace(loops)
      var plan = try plan(.sessionCreate, rate: 500, seconds: 0.4)
      plan.spacing = spacing
      let report = try await run(plan, on: server)
      let load = report.delivery
      if spacing == .constant { #expect(load.planned == 200) }
      #expect(load.planned == load.sent + load.skipped + load.unsent)
      #expect(load.sent == report.calls.sent)
      #expect(load.sent == server.count("onside.v1.LoginService/CreateSession"))
      #expect(load.ok == report.calls.ok)
      #expect(load.completed == load.ok)
      #expect(load.lag.count == UInt64(load.sent))
      #expect(report.calls.latency.count == UInt64(load.ok))
      let phases = Dictionary(uniqueKeysWithValues: report.phases.map { ($0.phase, $0.latency) })
      #expect(phases[.total] == report.calls.latency)
      #expect(phases[.rpc]?.count == UInt64(load.ok))
      #expect(phases[.waitForSlot]?.count == UInt64(load.ok))
      let model = report.load.first { $0.name == "model" }
      #expect(model?.value == .string("open"))
    }
  }

  @Test func soManyCallsAreMadeAtTheRate() async throws {
    try await withLoops(2) { loops in
      var plan = try plan(.sessionCreate, rate: 2000, seconds: 60)
      plan.callLimit = 31
      let report = try await run(plan, on: marketplace(loops))
      #expect(report.calls.ok == 31)
      #expect(report.delivery.planned == 31)
      #expect(report.ending == .calls)
      #expect(report.seconds < 30)
    }
  }

  @Test func mixIsReportedByScenario() async throws {
    try await withLoops(2) { loops in
      var plan = try plan(.sessionReturn, rate: 1000, seconds: 60)
      plan.callLimit = 300
      plan.mix = [
        MixPart(.sessionReturn, weight: 2), MixPart(.productFilter, weight: 1),
        MixPart(.sessionCreate, weight: 1),
      ]
      let server = marketplace(loops)
      let report = try await run(plan, on: server)
      #expect(report.verdict == .passed || report.verdict == .saturated)
      #expect(
        report.scenarios.map(\.name) == ["session-return", "product-filter", "session-create"])
      #expect(report.scenarios.reduce(0) { $0 + $1.calls.ok } == 300)
      #expect(report.scenarios.allSatisfy { $0.calls.ok > 30 })
      #expect(
        server.count("onside.v1.ProductsService/ListProducts") == report.scenarios[1].calls.ok)
      #expect(
        report.checks.map(\.name).sorted() == ["products_partitioned", "session_tokens_unique"])
    }
  }

  @Test func mixOfAClosedLoopFollowsTheWeights() async throws {
    try await withLoops { loops in
      var plan = try plan(.sessionReturn, rate: 1, seconds: 1)
      plan.stages = []
      plan.duration = nil
      plan.callLimit = 800
      plan.mix = [MixPart(.sessionReturn, weight: 3), MixPart(.productFilter, weight: 1)]
      let report = try await run(plan, on: marketplace(loops))
      #expect(report.calls.ok == 800)
      let share = Double(report.scenarios[0].calls.ok) / 800
      #expect(abs(share - 0.75) < 0.07)
      #expect(report.delivery.planned == 800)
      #expect(report.delivery.delivered == 1)
    }
  }

  @Test(
    "LG-14 calls under way at the end: waited for, closed or ignored",
    arguments: LoadPlan.AtEnd.allCases)
  func callsUnderWayAtTheEnd(_ atEnd: LoadPlan.AtEnd) async throws {
    try await withLoops { loops in
      let marketplace = ScriptedMarketplace()
      // Every fifth call is never answered.
      let server = ScriptedServer(loops: loops) { method, request, number in
        number % 5 == 0 ? .never : marketplace.reply(method, request)
      }
      var plan = try plan(.sessionCreate, rate: 100, seconds: 0.5)
      plan.inFlight = 16
      plan.timeout = .milliseconds(200)
      plan.atEnd = atEnd
      let report = try await run(plan, on: server)
      let (load, calls) = (report.delivery, report.calls)
      #expect(load.planned == 50)
      #expect(calls.sent == 50 - load.unsent)
      #expect(calls.ok + calls.unanswered == calls.sent)
      #expect(calls.unanswered >= calls.sent / 5)
      if atEnd == .wait { #expect(calls.unanswered == calls.sent / 5) }
      #expect(load.inFlightAtEnd >= calls.sent / 5)
      #expect(load.completed == calls.ok)
      #expect(report.remarks.contains { $0.contains("under way at the end") })
      #expect(server.record.withLock { $0.aborted } == (atEnd == .close ? 4 : 0))
    }
  }

  @Test func answersAfterTheEndCountForLatencyAndNotForTheRate() async throws {
    try await withLoops { loops in
      let marketplace = ScriptedMarketplace()
      let server = ScriptedServer(loops: loops) { method, request, _ in
        .later(marketplace.reply(method, request), .milliseconds(300))
      }
      var plan = try plan(.sessionCreate, rate: 100, seconds: 0.2)
      plan.inFlight = 16
      let report = try await run(plan, on: server)
      #expect(report.calls.ok == 20)
      #expect(report.calls.okLate == 20, "none was answered within 0.2 s")
      #expect(report.calls.latency.count == 20)
      #expect(report.okPerSecond == 0)
      #expect(report.delivery.ok == 20)
    }
  }

  @Test("LG-11 an unreachable rate is told by the share that was delivered")
  func unreachableRate() async throws {
    try await withLoops { loops in
      let marketplace = ScriptedMarketplace()
      let server = ScriptedServer(loops: loops) { method, request, _ in
        .later(marketplace.reply(method, request), .milliseconds(50))
      }
      // Sixteen clients with 50 ms a call make 320 per second at most.
      let report = try await run(try plan(.sessionCreate, rate: 2000, seconds: 0.5), on: server)
      #expect(report.delivery.planned == 1000)
      #expect(report.delivery.delivered < 0.5)
      #expect(report.delivery.planned == report.delivery.sent + report.delivery.unsent)
      #expect(report.delivery.inFlightMax == 16)
    }
  }

  @Test("LG-23 a wall clock that is set back changes no latency")
  func wallClockSetBack() async throws {
    try await withLoops { loops in
      let readings = Readings()
      let run = try LoadRun(
        try plan(.sessionCreate, rate: 500, seconds: 0.2), products: nil,
        source: marketplace(loops), loops: loops,
        // Each reading is an hour before the last.
        wallClock: { 1_700_000_000_000 - 3_600_000 * Int64(readings.next()) })
      let report = try await run.execute()
      #expect(report.startedAt == 1_700_000_000_000 - 3_600_000)
      #expect(report.calls.ok == report.calls.sent)
      // A negative time would be a huge one here.
      #expect(report.calls.latency.max < 60_000_000_000)
      #expect(report.delivery.lag.max < 60_000_000_000)
      #expect(report.seconds > 0.1 && report.seconds < 60)
      #expect(report.series.allSatisfy { $0.second >= 0 })
    }
  }

  private final class Readings: Sendable {
    private let count = Atomic(0)

    func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).newValue }
  }

  @Test func contradictingPlanIsASetUpError() async throws {
    try await withLoops { loops in
      var plan = try plan(.idle, rate: 1, seconds: 1)
      plan.scenario = .idle
      let error = await #expect(throws: SetupError.self) {
        try await self.run(plan, on: marketplace(loops))
      }
      #expect(error?.code == .plan)
    }
  }
}
