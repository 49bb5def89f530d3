import RPC
import Testing

@testable import LoadGenerator

@Suite struct PlanShareTests {
  @Test(arguments: [1, 2, 3, 7, 64])
  func sharesAddUpToTheWhole(_ count: Int) throws {
    var plan = LoadPlan(scenario: .sessionReturn)
    plan.connections = 100
    plan.users = 1001
    plan.callLimit = 12_345
    plan.seed = 0xFFFF_FFFF_FFFF_FFFF
    plan.serverProcess = 1
    let shares = try (0..<count).map { try plan.share($0, of: count) }
    #expect(shares.reduce(0) { $0 + $1.connections } == 100)
    #expect(shares.reduce(0) { $0 + $1.users } == 1001)
    #expect(shares.reduce(0) { $0 + ($1.callLimit ?? 0) } == 12_345)
    #expect(shares.allSatisfy { $0.serverProcess == nil })
    // Names hold the lowest 32 bits of the seed.
    #expect(Set(shares.map { $0.seed & 0xFFFF_FFFF }).count == count)
    let names = shares.map { UserNames(seed: $0.seed).text(0) }
    #expect(Set(names).count == count)
  }

  @Test(arguments: ArrivalSchedule.Spacing.allCases)
  func agentsMakeTheCallsOfTheOnePlan(_ spacing: ArrivalSchedule.Spacing) throws {
    var plan = LoadPlan(scenario: .sessionReturn)
    plan.stages = [
      try LoadStage(from: 100, to: 900, duration: .seconds(2)),
      try LoadStage(rate: 333, duration: .seconds(1)),
    ]
    plan.spacing = spacing
    plan.warmup = .seconds(0.5)
    plan.seed = 8
    plan.mix = [MixPart(.sessionReturn, weight: 2), MixPart(.sessionCreate)]
    func arrivals(_ plan: LoadPlan, _ lane: Int, of lanes: Int) -> [Arrival] {
      var schedule = LaneArrivals(plan, begins: 10, opens: 500_000_010, lane: lane, of: lanes)
      var all: [Arrival] = []
      while let arrival = schedule.next() { all.append(arrival) }
      return all
    }
    let whole = arrivals(plan, 0, of: 1)
    var together: [Arrival] = []
    for agent in 0..<3 {
      let share = try plan.share(agent, of: 3)
      for lane in 0..<2 { together += arrivals(share, lane, of: 2) }
    }
    together.sort { $0.planned < $1.planned }
    #expect(together.map(\.planned) == whole.map(\.planned))
    #expect(together.count { $0.part == 0 } == whole.count { $0.part == 0 })
  }

  @Test func usersOfAPartAreDividedToo() throws {
    var plan = LoadPlan(scenario: .sessionReturn)
    var part = MixPart(.sessionReturn)
    part.settings = [
      .init(name: "users", value: "101"), .init(name: "unknown-share", value: "0.5"),
    ]
    plan.mix = [part, MixPart(.sessionCreate)]
    plan.maxInFlight = 10
    let shares = try (0..<2).map { try plan.share($0, of: 2) }
    #expect(shares.map { $0.mix[0].settings.map(\.value) } == [["51", "0.5"], ["50", "0.5"]])
    #expect(shares.map(\.maxInFlight) == [5, 5])
  }

  @Test func thereHasToBeSomethingForEach() {
    var plan = LoadPlan(scenario: .sessionReturn)
    plan.connections = 2
    let error = #expect(throws: SetupError.self) { try plan.share(2, of: 3) }
    for part in ["--connections 2", "3 agents"] {
      #expect(error?.description.contains(part) == true, "\(part)")
    }
  }

  private func refusal(_ change: (inout LoadPlan) -> Void) -> RPCError? {
    var plan = LoadPlan(scenario: .sessionReturn)
    change(&plan)
    do throws(RPCError) {
      try AgentLimits().check(plan)
      return nil
    } catch {
      return error
    }
  }

  @Test func agentsBoundWhatTheyAreTold() {
    #expect(refusal { _ in } == nil)
    let limits = AgentLimits()
    let tooLarge = [
      refusal { $0.connections = limits.connections + 1 }, refusal { $0.connections = .max },
      refusal { $0.inFlight = .max }, refusal { $0.users = limits.users + 1 },
      refusal { $0.duration = .seconds(100_000) }, refusal { $0.warmup = .seconds(1_000_000_000) },
      refusal { $0.identifiersPerCall = 10_001 },
      refusal { ($0.connections, $0.inFlight) = (100_000, 1_000_000) },
      refusal { $0.connectionsPerClient = .max }, refusal { $0.slice.count = 65 },
      refusal { plan in
        let stage = try? LoadStage(rate: 1, duration: .seconds(50_000))
        plan.stages = [stage, stage].compactMap { $0 }
      },
      refusal { plan in
        let stage = try? LoadStage(rate: 1, duration: .seconds(1))
        plan.stages = Array(repeating: stage, count: 1001).compactMap { $0 }
      },
    ]
    for error in tooLarge {
      #expect(error?.code == .resourceExhausted)
      #expect(error?.info?.reason == "SHARE_TOO_LARGE")
    }
    let invalid = [
      refusal { $0.connections = -1 }, refusal { $0.duration = nil },
      refusal { $0.unknownShare = 2 }, refusal { $0.unknownShare = .nan },
      refusal { $0.connections = 0 }, refusal { $0.slice.count = 0 },
      refusal { $0.slice.index = 1 }, refusal { $0.slice.index = -1 },
      refusal { $0.callsPerConnection = 0 }, refusal { $0.maxInFlight = 0 },
      refusal { stage in Self.spoil(&stage) { $0.from = 1e300 } },
      refusal { stage in Self.spoil(&stage) { $0.to = .nan } },
      refusal { stage in Self.spoil(&stage) { $0.duration = .seconds(-1) } },
      refusal { plan in
        var part = MixPart(.sessionReturn)
        part.settings = [.init(name: "users", value: "0")]
        plan.mix = [part]
      },
    ]
    for error in invalid { #expect(error?.info?.reason == "SHARE_INVALID") }
    #expect(refusal { $0.connections = 100_001 }?.message.contains("100000") == true)
  }

  /// What a stage can't be made as, and a message can say all the same.
  private static func spoil(_ plan: inout LoadPlan, _ change: (inout LoadStage) -> Void) {
    guard var stage = try? LoadStage(rate: 1, duration: .seconds(1)) else { return }
    change(&stage)
    plan.stages = [stage]
  }
}
