import LoadReporting
import RPCTransport
import Testing

@testable import LoadGenerator

@Suite struct OpenLoopTests {
  static let second: UInt64 = 1_000_000_000
  static let millisecond: UInt64 = 1_000_000

  static func plan(rate: Double, seconds: Double) throws -> LoadPlan {
    var plan = LoadPlan(scenario: .sessionReturn)
    plan.stages = [try LoadStage(rate: rate, duration: .seconds(seconds))]
    plan.duration = .seconds(seconds)
    plan.warmup = .zero
    plan.seed = 5
    return plan
  }

  /// Makes a load on a simulated server and hands on what the first scenario's lane found.
  private func simulate(
    _ plan: LoadPlan, clients: Int, _ simulation: Simulation, stopAt: UInt64? = nil
  ) async throws -> (LoadFigures, LoadLane.Figures) {
    try await withLoops { loops in
      let loop = loops[0]
      return await withCheckedContinuation { continuation in
        loop.post {
          let driver = simulation.run(plan, clients: clients, loop: loop, stopAt: stopAt)
          continuation.resume(returning: (driver.load, driver.lanes[0].figures))
        }
      }
    }
  }

  @Test("LG-01 a stall counts for every call that was planned in it, not only for those it held")
  func stallCountsForAllPlannedCalls() async throws {
    // 1000 per second, answered in 0.1 ms; in the last second of ten nothing is.
    let server = {
      Simulation(service: 100_000, stall: .init(period: 10 * Self.second, begin: 9 * Self.second))
    }
    let plan = try OpenLoopTests.plan(rate: 1000, seconds: 20)
    let (load, open) = try await simulate(plan, clients: 64, server())
    #expect(load.planned == 20_000)
    #expect(load.sent == 20_000 - load.unsent)
    let total = try #require(open.calls.latency.percentile(0.99))
    #expect(total > 850 * Self.millisecond && total <= 1001 * Self.millisecond)
    // Only 64 calls were under way when the server stopped: the service-only time hardly shows it.
    let rpc = try #require(open.times.rpc.percentile(0.99))
    #expect(rpc < 20 * Self.millisecond)
    #expect(open.times.rpc.max >= 990 * Self.millisecond)
    #expect(load.late >= 900)

    // The closed loop leaves the stall out: each client waits for its one call.
    var closed = plan
    closed.stages = []
    closed.thinkTime = nil
    let (_, found) = try await simulate(closed, clients: 64, server())
    let hidden = try #require(found.calls.latency.percentile(0.99))
    #expect(hidden < 20 * Self.millisecond)
    #expect(found.calls.latency.max >= 990 * Self.millisecond)
  }

  @Test("LG-15 warm-up is left out by planned time")
  func warmUpIsLeftOutByPlannedTime() async throws {
    // The warm-up's calls are answered late, in the measured window: they aren't measured.
    var plan = try OpenLoopTests.plan(rate: 100, seconds: 3)
    plan.warmup = .seconds(1.5)
    let (load, found) = try await simulate(
      plan, clients: 1000,
      Simulation(
        service: Self.millisecond, stall: .init(period: 2 * Self.second, begin: Self.second)))
    #expect(load.planned == 300)
    #expect(found.calls.sent == 450)
    #expect(found.calls.okOutside == 150)
    #expect(UInt64(found.calls.ok) == found.calls.latency.count)
    #expect(found.calls.ok == 300)
    // 50 calls of the warm-up were answered at 2 s, with up to a second of latency.
    #expect(found.calls.latency.max <= 1_100 * Self.millisecond)
  }

  @Test("LG-11 a rate that can't be reached shows as undelivered")
  func rateBeyondTheServerIsNotDelivered() async throws {
    // Ten milliseconds each: 100 per second at most.
    let plan = try OpenLoopTests.plan(rate: 400, seconds: 5)
    let (load, found) = try await simulate(
      plan, clients: 16, Simulation(service: 10 * Self.millisecond))
    #expect(load.planned == 2000)
    #expect(load.planned == load.sent + load.skipped + load.unsent)
    #expect((500...520).contains(load.sent))
    #expect(load.skipped == 0)
    #expect(load.inFlightMax == 16)
    #expect(found.calls.ok == load.sent)
    let largest = try #require(found.calls.latency.percentile(1))
    #expect(largest > 3 * Self.second, "latency grows with the queue")
    #expect(found.times.rpc.max <= 170 * Self.millisecond)
  }

  @Test func callsBeyondTheCapAreSkippedIfAsked() async throws {
    var plan = try OpenLoopTests.plan(rate: 400, seconds: 5)
    plan.overload = .skip
    plan.maxInFlight = 4
    let simulation = Simulation(service: 10 * Self.millisecond)
    let (load, found) = try await simulate(plan, clients: 16, simulation)
    #expect(load.planned == 2000)
    #expect(load.planned == load.sent + load.skipped)
    #expect((495...510).contains(load.sent))
    #expect(load.unsent == 0)
    #expect(load.inFlightMax == 4)
    #expect(simulation.mostUnderWay == 4)
    #expect(found.calls.latency.max <= 50 * Self.millisecond)
  }

  @Test func plannedInstantsStayExactWhenCallsWait() async throws {
    let plan = try OpenLoopTests.plan(rate: 1000, seconds: 1)
    let simulation = Simulation(service: 50_000)
    let (load, found) = try await simulate(plan, clients: 8, simulation)
    #expect(load.planned == 1000)
    #expect(simulation.begun.map(\.at) == (0..<1000).map { UInt64($0) * Self.millisecond })
    #expect(load.lag.max == 0)
    #expect(load.late == 0)
    #expect(found.calls.latency.max == 50_000)
  }

  @Test func stoppedRunPlansNothingBeyondItsEnd() async throws {
    let plan = try OpenLoopTests.plan(rate: 100, seconds: 100)
    let (load, found) = try await simulate(
      plan, clients: 1, Simulation(service: 50 * Self.millisecond), stopAt: 2 * Self.second)
    #expect(load.planned == 200)
    #expect(load.sent == 40)
    #expect(load.unsent == 160)
    #expect(load.inFlightAtEnd == 1)
    #expect(found.calls.ok == 40)
    #expect(found.calls.okLate == 1)
  }

  @Test func scenariosOfAMixFollowFromTheSeed() async throws {
    var plan = try OpenLoopTests.plan(rate: 1000, seconds: 4)
    plan.mix = [MixPart(.sessionReturn, weight: 3), MixPart(.productFilter, weight: 1)]
    var runs: [[Int]] = []
    for seed: UInt64 in [1, 1, 2] {
      plan.seed = seed
      let simulation = Simulation(service: 10_000)
      _ = try await simulate(plan, clients: 4, simulation)
      runs.append(simulation.begun.map(\.part))
    }
    #expect(runs[0] == runs[1])
    #expect(runs[0] != runs[2])
    let share = Double(runs[0].count { $0 == 0 }) / 4000
    #expect(abs(share - 0.75) < 0.03)
  }

  @Test func loopsMakeTheSameCallsTogetherAsOneAlone() throws {
    for spacing in ArrivalSchedule.Spacing.allCases {
      var plan = try OpenLoopTests.plan(rate: 997, seconds: 2)
      plan.spacing = spacing
      plan.warmup = .seconds(0.5)
      plan.mix = [MixPart(.sessionReturn, weight: 2), MixPart(.sessionCreate)]
      func arrivals(_ lane: Int, _ lanes: Int) -> [Arrival] {
        var schedule = LaneArrivals(plan, begins: 10, opens: 500_000_010, lane: lane, of: lanes)
        var all: [Arrival] = []
        while let arrival = schedule.next() { all.append(arrival) }
        return all
      }
      let alone = arrivals(0, 1)
      let together = (0..<3).flatMap { arrivals($0, 3) }.sorted { $0.planned < $1.planned }
      #expect(alone.map(\.planned) == together.map(\.planned))
      #expect(alone.count { $0.part == 0 } == together.count { $0.part == 0 })
      let sizes = (0..<3).map { arrivals($0, 3).count }
      #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1)
    }
  }

  @Test func machinesMakeTheSameCallsTogetherAsOneAlone() throws {
    for spacing in ArrivalSchedule.Spacing.allCases {
      var plan = try OpenLoopTests.plan(rate: 997, seconds: 2)
      plan.spacing = spacing
      plan.connections = 10
      plan.mix = [MixPart(.sessionReturn, weight: 2), MixPart(.sessionCreate)]
      func arrivals(_ plan: LoadPlan, _ lanes: Int) -> [Arrival] {
        (0..<lanes).flatMap { lane in
          var schedule = LaneArrivals(plan, begins: 0, opens: 0, lane: lane, of: lanes)
          var all: [Arrival] = []
          while let arrival = schedule.next() { all.append(arrival) }
          return all
        }
      }
      let alone = arrivals(plan, 1)
      // Machines need not have the same number of loops.
      let together = try (0..<3).flatMap { arrivals(try plan.share($0, of: 3), $0 + 1) }
        .sorted { $0.planned < $1.planned }
      #expect(alone.map(\.planned) == together.map(\.planned))
      #expect(alone.count { $0.part == 0 } == together.count { $0.part == 0 })
    }
  }
}
