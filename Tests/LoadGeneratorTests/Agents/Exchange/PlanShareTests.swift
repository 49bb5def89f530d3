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
    ]
    for error in tooLarge {
      #expect(error?.code == .resourceExhausted)
      #expect(error?.info?.reason == "SHARE_TOO_LARGE")
    }
    let invalid = [
      refusal { $0.connections = -1 }, refusal { $0.duration = nil },
      refusal { $0.unknownShare = 2 }, refusal { $0.unknownShare = .nan },
    ]
    for error in invalid { #expect(error?.info?.reason == "SHARE_INVALID") }
    #expect(refusal { $0.connections = 100_001 }?.message.contains("100000") == true)
  }
}
