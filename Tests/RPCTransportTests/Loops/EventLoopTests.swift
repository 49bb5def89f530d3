import RPCCore
import Testing

@testable import RPCTransport

@Suite("Event loop")
struct EventLoopTests {
  static func withLoops<R: Sendable>(
    _ count: Int = 1, pollBudget: Duration = .zero,
    _ body: (EventLoopGroup) async throws -> R
  ) async throws -> R {
    let group = try EventLoopGroup(loops: count, pollBudget: pollBudget)
    let result = try await body(group)
    await group.shutdown()
    return result
  }

  @Test func postsRunOnTheLoopInOrder() async throws {
    try await Self.withLoops { group in
      let loop = group.first
      let log = EventLog<Int>()
      #expect(!loop.isCurrent)
      for number in 0..<1_000 { loop.post { log.add(loop.isCurrent ? number : -1) } }
      #expect(await log.wait(for: 1_000) == Array(0..<1_000))
    }
  }

  @Test func postsFromManyThreadsAllArrive() async throws {
    try await Self.withLoops(2) { group in
      let count = Counter()
      let log = EventLog<Bool>()
      await withTaskGroup { tasks in
        for _ in 0..<8 {
          tasks.addTask {
            for _ in 0..<5_000 {
              group.next().post {
                if count.increment() == 40_000 { log.add(true) }
              }
            }
          }
        }
      }
      #expect(await log.wait(for: 1) == [true])
    }
  }

  @Test func postOnTheLoopIsNotRunInside() async throws {
    try await Self.withLoops { group in
      let loop = group.first
      let log = EventLog<String>()
      loop.post {
        loop.post { log.add("inner") }
        log.add("outer")
      }
      #expect(await log.wait(for: 2) == ["outer", "inner"])
    }
  }

  @Test func tasksRunOnTheLoopThatTheyPrefer() async throws {
    try await Self.withLoops(2) { group in
      for loop in group.loops {
        let isOnLoop = await Task(executorPreference: loop) {
          let before = loop.isCurrent
          await Task.yield()
          return before && loop.isCurrent
        }.value
        #expect(isOnLoop)
      }
    }
  }

  /// A task that is started on the loop runs at once, up to where it waits for the first time.
  @Test func immediateTaskRunsInside() async throws {
    try await Self.withLoops { group in
      let loop = group.first
      let log = EventLog<String>()
      loop.post {
        Task.immediate(executorPreference: loop) {
          log.add(loop.isCurrent ? "task" : "elsewhere")
          await Task.yield()
          log.add(loop.isCurrent ? "resumed" : "elsewhere")
        }
        log.add("after")
      }
      #expect(await log.wait(for: 3) == ["task", "after", "resumed"])
    }
  }

  @Test func resultsAndErrorsComeBack() async throws {
    struct Refusal: Error, Equatable {}
    try await Self.withLoops { group in
      #expect(await group.first.run { 42 } == 42)
      await #expect(throws: Refusal.self) {
        try await group.first.run { () throws(Refusal) -> Int in throw Refusal() }
      }
    }
  }

  @Test func timersFireInTheirOrderAndNotBeforeTheirTime() async throws {
    try await Self.withLoops { group in
      let loop = group.first
      let log = EventLog<Int>()
      let early = EventLog<Int>()
      loop.post {
        let start = loop.now
        for delay in [8, 2, 5, 0, 3] {
          let due = start.advanced(byNanoseconds: Int64(delay) * 1_000_000)
          loop.schedule(at: due) {
            log.add(delay)
            if loop.now < due { early.add(delay) }
          }
        }
      }
      #expect(await log.wait(for: 5) == [0, 2, 3, 5, 8])
      #expect(early.all.isEmpty)
    }
  }

  @Test func disarmedTimerDoesNotFire() async throws {
    try await Self.withLoops { group in
      let loop = group.first
      let log = EventLog<String>()
      loop.post {
        let cancelled = loop.schedule(at: loop.now) { log.add("cancelled") }
        let moved = loop.makeTimer { log.add("moved") }
        moved.arm(at: loop.now)
        moved.arm(at: loop.now.advanced(byNanoseconds: 2_000_000))
        loop.schedule(at: loop.now.advanced(byNanoseconds: 1_000_000)) { log.add("plain") }
        loop.cancel(cancelled)
        #expect(!cancelled.isArmed && moved.isArmed)
      }
      #expect(await log.wait(for: 2) == ["plain", "moved"])
    }
  }

  /// A timer that arms itself again for now must not keep the loop from its other work.
  @Test func timerThatIsAlwaysDueLeavesRoomForWork() async throws {
    try await Self.withLoops { group in
      let loop = group.first
      let log = EventLog<Bool>()
      let isDone = Counter()
      loop.post {
        @Sendable func again() {
          guard isDone.value == 0 else { return }
          loop.schedule(at: loop.now) { again() }
        }
        again()
      }
      loop.post { log.add(true) }
      #expect(await log.wait(for: 1) == [true])
      isDone.increment()
    }
  }

  @Test func participantsAreCalledOnceAtTheEndOfThePass() async throws {
    final class Participant: PassParticipant {
      let log: EventLog<String>
      init(_ log: EventLog<String>) { self.log = log }
      func passEnds(on loop: EventLoop) { log.add("end") }
    }
    try await Self.withLoops { group in
      let loop = group.first
      let log = EventLog<String>()
      loop.post {
        loop.afterPass(Participant(log))
        loop.post { log.add("work") }
      }
      #expect(await log.wait(for: 2) == ["work", "end"])
    }
  }

  @Test func idleLoopMakesNoPasses() async throws {
    try await Self.withLoops(2) { group in
      let idle = group.loops[1]
      await idle.run {}
      let before = await idle.run { idle.passes }
      // Each round goes through the first loop only.
      for _ in 0..<100 { await group.first.run {} }
      let after = await idle.run { idle.passes }
      // One pass for the post itself, and one in which the first may have fallen asleep.
      #expect(after - before <= 2)
    }
  }

  /// Handshakes that come in a flood leave room in each pass for open connections.
  @Test func handshakeStepsOfAPassAreBounded() async throws {
    try await Self.withLoops { group in
      let loop = group.first
      let granted = await loop.run { (0..<20).count { _ in loop.takeHandshakeStep() } }
      #expect(granted == 8)
      #expect(await loop.run { loop.takeHandshakeStep() })
    }
  }

  @Test func pollingLoopStillTakesPosts() async throws {
    try await Self.withLoops(1, pollBudget: .milliseconds(2)) { group in
      for number in 0..<50 { #expect(await group.first.run { number } == number) }
    }
  }

  /// A task may prefer the loop long after its sockets are gone.
  @Test func tasksAndTimersRunAfterShutdown() async throws {
    let group = try EventLoopGroup(loops: 1)
    let loop = group.first
    await group.shutdown()
    await group.shutdown()
    let isOnLoop = await Task(executorPreference: loop) {
      await Task.yield()
      return loop.isCurrent
    }.value
    #expect(isOnLoop)
    let log = EventLog<String>()
    loop.post {
      let timer = loop.schedule(at: loop.now.advanced(byNanoseconds: 1_000_000)) {
        log.add(loop.isCurrent ? "timer" : "elsewhere")
      }
      let cancelled = loop.schedule(at: .current()) { log.add("cancelled") }
      loop.cancel(cancelled)
      #expect(timer.isArmed)
    }
    #expect(await log.wait(for: 1) == ["timer"])
  }

  @Test func pendingTimerFiresAfterShutdown() async throws {
    let group = try EventLoopGroup(loops: 1)
    let loop = group.first
    let log = EventLog<String>()
    await loop.run {
      _ = loop.schedule(at: loop.now.advanced(byNanoseconds: 20_000_000)) { log.add("late") }
    }
    await group.shutdown()
    #expect(await log.wait(for: 1) == ["late"])
  }
}
