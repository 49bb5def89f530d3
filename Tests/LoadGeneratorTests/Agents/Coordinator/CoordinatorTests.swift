import LoadReporting
import Testing

@testable import LoadGenerator

@Suite struct CoordinatorTests {
  private let clock = ClockOffset([.init(sent: 1000, agent: 5_001_000, received: 3000)])

  private func started(
    _ agents: Int = 2, timing: Coordinator.Timing = .init()
  ) throws -> Coordinator {
    let names = (0..<agents).map { "agent-\($0)" }
    var coordinator = Coordinator(names, timing: timing)
    let clock = try #require(clock)
    for message in [Coordinator.Message.described, .ready, .clock(clock)] {
      for agent in 0..<agents { _ = coordinator.agent(agent, message, now: 0) }
    }
    #expect(coordinator.hasStarted)
    return coordinator
  }

  @Test func agentsGoOnTogether() throws {
    var coordinator = Coordinator(["a", "b"])
    let clock = try #require(clock)
    #expect(coordinator.agent(0, .described, now: 0).isEmpty)
    #expect(kinds(coordinator.agent(1, .described, now: 1)) == ["prepare 0", "prepare 1"])
    #expect(coordinator.agent(1, .ready, now: 2).isEmpty)
    #expect(kinds(coordinator.agent(0, .ready, now: 3)) == ["measureClock 0", "measureClock 1"])
    #expect(coordinator.agent(0, .clock(clock), now: 4).isEmpty)
    let actions = coordinator.agent(1, .clock(clock), now: 1_000_000)
    // The agents' clocks are 4,999,000 ns ahead, and the start is half a second away.
    let instant = 1_000_000 + 500_000_000 + 4_999_000
    #expect(kinds(actions) == ["start 0 \(instant)", "start 1 \(instant)"])
    #expect(coordinator.uncertainty == 1000)
  }

  @Test func runIsCompleteWhenAllAgentsAreFinished() throws {
    var coordinator = try started()
    #expect(coordinator.agent(0, .second, now: 1).isEmpty)
    #expect(coordinator.agent(0, .finished, now: 2).isEmpty)
    #expect(kinds(coordinator.agent(1, .finished, now: 3)) == ["complete"])
    #expect(coordinator.seconds == [1, 0])
    #expect(coordinator.states == [.finished, .finished])
    // Nothing that comes later does anything.
    #expect(coordinator.agent(0, .lost("gone"), now: 4).isEmpty)
    #expect(coordinator.interrupt(now: 5).isEmpty)
    #expect(coordinator.tick(now: .max).isEmpty)
  }

  @Test func agentThatIsLostWhileLoadingDoesNotEndTheOthers() throws {
    var coordinator = try started()
    _ = coordinator.agent(1, .second, now: 1)
    #expect(coordinator.agent(1, .lost("the network"), now: 2).isEmpty)
    #expect(coordinator.states == [.running, .lost("the network")])
    #expect(kinds(coordinator.agent(0, .finished, now: 3)) == ["complete"])
    #expect(coordinator.seconds == [0, 1])
  }

  @Test func agentThatSaysNothingIsLost() throws {
    var coordinator = try started(timing: .init(lead: 0, silence: 10_000_000_000))
    _ = coordinator.agent(0, .second, now: 9_000_000_000)
    #expect(coordinator.tick(now: 10_000_000_000).isEmpty)
    #expect(kinds(coordinator.tick(now: 10_000_000_001)) == ["abandon 1"])
    #expect(coordinator.states[1] == .lost("it has said nothing for 10 s"))
    #expect(kinds(coordinator.tick(now: 19_000_000_001)) == ["abandon 0", "complete"])
  }

  @Test(arguments: 0...3)
  func whatGoesWrongBeforeTheStartEndsTheRun(_ steps: Int) throws {
    let clock = try #require(clock)
    let steps = [Coordinator.Message.described, .ready, .clock(clock)].prefix(steps)
    for problem in [
      Coordinator.Message.lost("the network"), .refused(SetupError(.certificate, "the network")),
    ] {
      var coordinator = Coordinator(["a", "b"])
      for (number, step) in steps.enumerated() {
        _ = coordinator.agent(0, step, now: 0)
        if number + 1 < steps.count { _ = coordinator.agent(1, step, now: 0) }
      }
      let actions = coordinator.agent(1, problem, now: 1)
      #expect(kinds(actions) == ["abandon 0", "abandon 1", "fail b: the network"])
      #expect(coordinator.agent(0, .ready, now: 2).isEmpty)
    }
  }

  @Test func stopAsksForPartialResultsAndWaitsForThemForAWhile() throws {
    var coordinator = try started(timing: .init(lead: 0, patienceAfterStop: 1000))
    #expect(kinds(coordinator.interrupt(now: 10)) == ["stop 0", "stop 1"])
    #expect(coordinator.interrupt(now: 11).isEmpty)
    #expect(coordinator.agent(0, .finished, now: 12).isEmpty)
    #expect(coordinator.tick(now: 1009).isEmpty)
    #expect(kinds(coordinator.tick(now: 1010)) == ["abandon 1", "complete"])
    #expect(coordinator.isStopped)
  }

  @Test func stopBeforeTheStartEndsTheRun() {
    var coordinator = Coordinator(["a"])
    #expect(
      kinds(coordinator.interrupt(now: 0)) == ["abandon 0", "fail stopped before the load"])
  }

  @Test func wordOutOfTurnIsNotBelieved() throws {
    var early = Coordinator(["a", "b"])
    #expect(early.agent(0, .finished, now: 0).contains { $0.kind.hasPrefix("fail a: it said") })
    var coordinator = try started()
    #expect(kinds(coordinator.agent(0, .ready, now: 0)) == ["abandon 0"])
    #expect(coordinator.states[0] == .lost("it said something that wasn't expected"))
  }

  /// Whatever agents say in whatever order, a run ends once and exactly once when time goes by, and
  /// nothing is asked of an agent that is over.
  @Test func everyRunEndsOnce() throws {
    let clock = try #require(clock)
    for seed in 0..<3000 as Range<UInt64> {
      var random = SeededRandom(seed: seed)
      let agents = Int.random(in: 1...4, using: &random)
      var coordinator = Coordinator((0..<agents).map { "agent-\($0)" })
      var (now, ends, over) = (UInt64(0), 0, Set<Int>())
      func carryOut(_ actions: [Coordinator.Action]) {
        for action in actions {
          switch action {
          case .complete, .fail: ends += 1
          case .start(let agent, _), .stop(let agent), .prepare(let agent),
            .measureClock(let agent):
            #expect(!over.contains(agent) && ends == 0, "seed \(seed)")
          case .abandon(let agent): over.insert(agent)
          }
        }
      }
      for _ in 0..<60 {
        now += .random(in: 0...3_000_000_000, using: &random)
        let agent = Int.random(in: 0..<agents, using: &random)
        // Mostly what is expected.
        let expected: Coordinator.Message =
          switch coordinator.states[agent] {
          case .connecting: .described
          case .preparing: .ready
          case .ready: .clock(clock)
          default: .second
          }
        switch Int.random(in: 0..<100, using: &random) {
        case 0: carryOut(coordinator.agent(agent, .lost("gone"), now: now))
        case 1: carryOut(coordinator.agent(agent, .refused(.init(.refused, "no")), now: now))
        case 2: carryOut(coordinator.interrupt(now: now))
        case 3: carryOut(coordinator.agent(agent, .finished, now: now))
        case 4...20: carryOut(coordinator.tick(now: now))
        case 21...30 where coordinator.hasStarted:
          carryOut(coordinator.agent(agent, .finished, now: now))
        default:
          // An agent says nothing more before the others have come as far.
          if coordinator.hasStarted || expected.isProgress {
            carryOut(coordinator.agent(agent, expected, now: now))
          }
        }
      }
      if coordinator.hasStarted {
        for _ in 0..<3 {
          now += 30_000_000_000
          carryOut(coordinator.tick(now: now))
        }
        #expect(ends == 1, "seed \(seed)")
        #expect(coordinator.states.allSatisfy(\.isOver) || ends == 1, "seed \(seed)")
      } else {
        #expect(ends <= 1, "seed \(seed)")
      }
    }
  }

  private func kinds(_ actions: [Coordinator.Action]) -> [String] { actions.map(\.kind) }
}

extension Coordinator.Message {
  /// Whether it brings an agent on its way to the start.
  fileprivate var isProgress: Bool {
    switch self {
    case .described, .ready, .clock: true
    default: false
    }
  }
}

extension Coordinator.Action {
  /// For comparison.
  fileprivate var kind: String {
    switch self {
    case .prepare(let agent): "prepare \(agent)"
    case .measureClock(let agent): "measureClock \(agent)"
    case .start(let agent, let instant): "start \(agent) \(instant)"
    case .stop(let agent): "stop \(agent)"
    case .abandon(let agent): "abandon \(agent)"
    case .fail(let error): "fail \(error)"
    case .complete: "complete"
    }
  }
}
