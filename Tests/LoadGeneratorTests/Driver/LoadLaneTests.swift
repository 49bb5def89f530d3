import RPC
import RPCTransport
import Testing

@testable import LoadGenerator
import LoadReporting

@Suite struct LoadLaneTests {
  @Test func answersAreMeasuredByWhenTheyCame() {
    let window = RunWindow(opens: 100, closes: 200, counts: .answers)
    #expect(!window.measures(planned: 50, answered: 99))
    #expect(window.measures(planned: 50, answered: 100))
    #expect(window.measures(planned: 150, answered: 199))
    #expect(!window.measures(planned: 150, answered: 200))
  }

  @Test func countedCallsAreMeasuredByWhenTheyBegan() {
    for counts in [RunWindow.Counts.begins, .plans] {
      let window = RunWindow(opens: 100, closes: 200, counts: counts)
      #expect(!window.measures(planned: 99, answered: 150))
      #expect(window.measures(planned: 100, answered: 1_000_000))
    }
  }

  /// A clock that a test sets.
  private final class SetClock: @unchecked Sendable {
    var now: UInt64 = 0
  }

  /// A slot that a test answers.
  private final class HeldSlot: Slot, @unchecked Sendable {
    var begins = 0

    override func begin() { begins += 1 }
  }

  private func lane(
    _ window: RunWindow, calls: Int = .max,
    _ body: @escaping @Sendable (HeldSlot, _ clock: SetClock) -> Void
  ) async throws -> LoadLane.Figures {
    try await withLoops { loops in
      let loop = loops[0]
      return await withCheckedContinuation { continuation in
        loop.post {
          let clock = SetClock()
          let lane = LoadLane(index: 0, loop: loop, steps: ["step"], checks: [])
          let driver = LoadDriver(index: 0, loop: loop, lanes: [lane], clock: { clock.now })
          let slot = HeldSlot(lane)
          driver.places = [Place([slot], number: 0, seed: 0)]
          driver.start(window, calls: calls) {}
          body(slot, clock)
          continuation.resume(returning: lane.figures)
        }
      }
    }
  }

  @Test func warmUpIsLeftOutByTime() async throws {
    let window = RunWindow(opens: 1000, closes: 2000, counts: .answers)
    let figures = try await lane(window) { slot, _ in
      for answered: UInt64 in [900, 1010, 1550, 2050] {
        slot.stepped(0, took: 20, now: answered)
        slot.succeed(now: answered)
      }
      #expect(slot.begins == 4)
    }
    #expect(figures.calls.sent == 4)
    #expect(figures.calls.ok == 2)
    #expect(figures.calls.okOutside == 2)
    #expect(figures.calls.latency.count == 2)
    #expect(figures.calls.latency.max == 540)
    #expect(figures.steps[0].latency.count == 2)
    #expect(figures.steps[0].latency.max == 20)
    #expect(figures.lastAnswer == 2050)
  }

  @Test func warmUpTakesNothingFromTheNumberOfCalls() async throws {
    let window = RunWindow(opens: 1000, closes: .max, counts: .begins)
    let figures = try await lane(window, calls: 2) { slot, _ in
      for now: UInt64 in [1, 999, 1000, 1001, 1002, 1003] where slot.begins > 0 {
        slot.succeed(now: now)
        if slot.lane.figures.calls.underWay == 0 { break }
      }
    }
    #expect(figures.calls.sent == 5, "three in the warm-up, two that count")
  }

  @Test func failuresOfTheWarmUpCount() async throws {
    let window = RunWindow(opens: 1000, closes: 2000, counts: .answers)
    let figures = try await lane(window) { slot, _ in
      slot.fail(.init(phase: .answer, status: "X"), "m", isPaced: true, now: 10)
      slot.fail(.init(phase: .answer, status: "X"), "m", isPaced: true, now: 2500)
    }
    #expect(figures.calls.failed == 2)
    #expect(figures.calls.latency.count == 0)
    #expect(figures.calls.failures.entries.map(\.first) == [10])
    #expect(figures.calls.failures.entries.map(\.last) == [2500])
  }

  @Test func intervalsStartAnew() async throws {
    try await withLoops { loops in
      let lane = LoadLane(index: 0, loop: loops[0], steps: [], checks: [])
      lane.succeeded(planned: 1, begun: 1, now: 4)
      lane.failed(.init(phase: .answer, status: "X"), "m", planned: 1, now: 10)
      let intervals = [lane.takeInterval(), lane.takeInterval()]
      #expect(intervals.map(\.ok) == [1, 0])
      #expect(intervals.map(\.failed) == [1, 0])
      #expect(intervals.map(\.latency.count) == [1, 0])
    }
  }

  @Test func stoppedLaneBeginsNothing() async throws {
    let window = RunWindow(opens: 0, closes: .max, counts: .answers)
    _ = try await lane(window) { slot, _ in
      #expect(slot.begins == 1)
      slot.lane.driver?.stop(now: 10)
      slot.succeed(now: 12)
      #expect(slot.begins == 1)
      #expect(slot.lane.window.closes == 10)
      #expect(slot.lane.figures.calls.okOutside == 1, "it came after the end")
    }
  }

  /// A slot whose calls are answered in the loop's next pass.
  private final class PromptSlot: Slot, @unchecked Sendable {
    var begins: [UInt64] = []

    override func begin() {
      begins.append(begun)
      lane.loop.post { self.succeed() }
    }
  }

  @Test func clientsThinkBetweenTheirCalls() async throws {
    try await withLoops { loops in
      let loop = loops[0]
      let begins = await withCheckedContinuation { continuation in
        loop.post {
          let time = try? ThinkTime(.milliseconds(1), upTo: .milliseconds(2))
          let lane = LoadLane(index: 0, loop: loop, steps: [], checks: [], thinkTime: time)
          let driver = LoadDriver(index: 0, loop: loop, lanes: [lane])
          let slot = PromptSlot(lane)
          driver.places = [Place([slot], number: 0, seed: 0)]
          driver.start(RunWindow(opens: 0, closes: .max, counts: .begins), calls: 4) {
            continuation.resume(returning: slot.begins)
          }
        }
      }
      #expect(begins.count == 4)
      for (next, last) in zip(begins.dropFirst(), begins) { #expect(next - last >= 1_000_000) }
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
      let driver = LoadDriver(index: 0, loop: loops[0], lanes: [lane])
      let begins = await driver.ask { driver in
        let error = RPCError(.unavailable, "down", phase: .connecting, wasStarted: false)
        let slot = FailingSlot(driver.lanes[0], error)
        driver.places = [Place([slot], number: 0, seed: 0)]
        driver.start(RunWindow(opens: 0, closes: .max, counts: .answers), calls: 100) {}
        return slot.begins
      }
      #expect(begins == 1)
      await driver.ask { $0.stop(now: 0) }
    }
  }

  @Test func failedCallsThatWereNotSentStillReachTheirNumber() async throws {
    try await withLoops { loops in
      let lane = LoadLane(index: 0, loop: loops[0], steps: [], checks: [])
      let driver = LoadDriver(index: 0, loop: loops[0], lanes: [lane])
      await withCheckedContinuation { continuation in
        driver.loop.post {
          let error = RPCError(.unavailable, "down", phase: .connecting, wasStarted: false)
          driver.places = [Place([FailingSlot(lane, error)], number: 0, seed: 0)]
          driver.start(RunWindow(opens: 0, closes: .max, counts: .begins), calls: 3) {
            continuation.resume()
          }
        }
      }
      let calls = await driver.ask { $0.lanes[0].figures.calls }
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
