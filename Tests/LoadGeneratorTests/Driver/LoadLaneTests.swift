import RPC
import RPCTransport
import Testing

@testable import LoadGenerator
import LoadReporting

@Suite struct LoadLaneTests {
  @Test func answersAreMeasuredByWhenTheyCame() {
    let window = RunWindow(opens: 100, closes: 200, countsCalls: false)
    #expect(!window.measures(begun: 50, answered: 99))
    #expect(window.measures(begun: 50, answered: 100))
    #expect(window.measures(begun: 150, answered: 199))
    #expect(!window.measures(begun: 150, answered: 200))
  }

  @Test func countedCallsAreMeasuredByWhenTheyBegan() {
    let window = RunWindow(opens: 100, closes: .max, countsCalls: true)
    #expect(!window.measures(begun: 99, answered: 150))
    #expect(window.measures(begun: 100, answered: 1_000_000))
  }

  private func lane(
    _ window: RunWindow, calls: Int = .max, _ body: @escaping @Sendable (LoadLane) -> Void
  ) async throws -> LoadLane.Figures {
    try await withLoops { loops in
      let lane = LoadLane(index: 0, loop: loops[0], steps: ["step"], checks: [])
      return await lane.ask { lane in
        lane.start(window, calls: calls) {}
        body(lane)
        return lane.figures
      }
    }
  }

  @Test func warmUpIsLeftOutByTime() async throws {
    let window = RunWindow(opens: 1000, closes: 2000, countsCalls: false)
    let figures = try await lane(window) { lane in
      for begun: UInt64 in [100, 950, 1500, 1990] {
        #expect(lane.admit(begun))
        lane.succeeded(begun: begun, now: begun + 60)
        lane.stepped(0, took: 20, begun: begun, now: begun + 60)
      }
      #expect(!lane.admit(2000))
    }
    #expect(figures.calls.sent == 4)
    #expect(figures.calls.ok == 2)
    #expect(figures.calls.okOutside == 2)
    #expect(figures.calls.latency.count == 2)
    #expect(figures.calls.latency.max == 60)
    #expect(figures.steps[0].latency.count == 2)
    #expect(figures.steps[0].latency.max == 20)
    #expect(figures.lastAnswer == 2050)
  }

  @Test func warmUpTakesNothingFromTheNumberOfCalls() async throws {
    let window = RunWindow(opens: 1000, closes: .max, countsCalls: true)
    let figures = try await lane(window, calls: 2) { lane in
      #expect(lane.admit(1))
      #expect(lane.admit(999))
      #expect(lane.admit(1000))
      #expect(lane.admit(1001))
      #expect(!lane.admit(1002))
    }
    #expect(figures.calls.sent == 4)
  }

  @Test func failuresOfTheWarmUpCount() async throws {
    let window = RunWindow(opens: 1000, closes: 2000, countsCalls: false)
    let figures = try await lane(window) { lane in
      lane.failed(.init(phase: .answer, status: "X"), "m", now: 10)
      lane.failed(.init(phase: .answer, status: "X"), "m", now: 2500)
    }
    #expect(figures.calls.failed == 2)
    #expect(figures.calls.latency.count == 0)
  }

  @Test func intervalsStartAnew() async throws {
    try await withLoops { loops in
      let lane = LoadLane(index: 0, loop: loops[0], steps: [], checks: [])
      let intervals = await lane.ask { lane in
        lane.succeeded(begun: 1, now: 4)
        lane.failed(.init(phase: .answer, status: "X"), "m", now: 10)
        return [lane.takeInterval(), lane.takeInterval()]
      }
      #expect(intervals.map(\.ok) == [1, 0])
      #expect(intervals.map(\.failed) == [1, 0])
      #expect(intervals.map(\.latency.count) == [1, 0])
    }
  }

  @Test func stoppedLaneAdmitsNothing() async throws {
    let window = RunWindow(opens: 0, closes: .max, countsCalls: false)
    _ = try await lane(window) { lane in
      #expect(lane.admit(5))
      lane.stop(now: 10)
      #expect(!lane.admit(9))
      #expect(lane.window.closes == 10)
    }
  }

  /// A slot whose calls fail on this side, at once.
  private final class FailingSlot: Slot, @unchecked Sendable {
    var begins = 0
    let error: RPCError

    init(_ lane: LoadLane, _ error: RPCError) {
      self.error = error
      super.init(lane)
    }

    override func begin() {
      begins += 1
      fail(error)
    }
  }

  @Test func callThatFailsWithoutBeingSentIsNotTriedAgainAtOnce() async throws {
    try await withLoops { loops in
      let lane = LoadLane(index: 0, loop: loops[0], steps: [], checks: [])
      let begins = await lane.ask { lane in
        let error = RPCError(.unavailable, "down", phase: .connecting, wasStarted: false)
        let slot = FailingSlot(lane, error)
        lane.slots = [slot]
        lane.start(RunWindow(opens: 0, closes: .max, countsCalls: false), calls: 100) {}
        return slot.begins
      }
      #expect(begins == 1)
      await lane.ask { $0.stop(now: 0) }
    }
  }

  @Test func failedCallsThatWereNotSentStillReachTheirNumber() async throws {
    try await withLoops { loops in
      let lane = LoadLane(index: 0, loop: loops[0], steps: [], checks: [])
      await withCheckedContinuation { continuation in
        lane.loop.post {
          let error = RPCError(.unavailable, "down", phase: .connecting, wasStarted: false)
          lane.slots = [FailingSlot(lane, error)]
          lane.start(RunWindow(opens: 0, closes: .max, countsCalls: true), calls: 3) {
            continuation.resume()
          }
        }
      }
      let calls = await lane.ask { $0.figures.calls }
      #expect(calls.sent == 3)
      #expect(calls.failed == 3)
      #expect(calls.failures.entries.map(\.kind) == [.init(phase: .connect, status: "UNAVAILABLE")])
    }
  }

  @Test(arguments: [
    (RPCError.Phase.resolving, FailurePhase.resolve), (.connecting, .connect), (.handshake, .tls),
    (.answered, .answer), (.sent, .call), (.queued, .call),
  ])
  func failuresArePutIntoPhases(_ phase: RPCError.Phase, _ kind: FailurePhase) {
    #expect(RPCError(.unavailable, "m", phase: phase).failureKind.phase == kind)
  }

  @Test func reasonOfTheServiceIsKept() {
    let info = ErrorInfo(reason: "APP_NOT_REGISTERED", domain: "onside.v1")
    #expect(RPCError(.notFound, "m", info: info).failureKind.reason == "APP_NOT_REGISTERED")
  }
}
