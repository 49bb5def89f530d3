import Testing

@testable import RPCCore

@Suite struct FrameProgressTests {
  private let start = MonotonicInstant(nanoseconds: 5_000_000_000)

  private func after(_ seconds: Double) -> MonotonicInstant {
    start.advanced(byNanoseconds: Int64(seconds * 1_000_000_000))
  }

  @Test func aFrameThatHasNotBegunIsNotWaitedFor() {
    var progress = FrameProgress(grace: .seconds(10), bytesPerSecond: 1000)
    #expect(progress.deadline == .distantFuture)
    progress.waiting(0, now: start)
    #expect(progress.deadline == .distantFuture)
  }

  @Test func eachByteEarnsItsTimeAtTheMinimumRate() {
    var progress = FrameProgress(grace: .seconds(10), bytesPerSecond: 1000)
    progress.waiting(1, now: start)
    #expect(progress.deadline == after(10.001))
    // The time counts from the frame's first byte, not from the last one that came.
    progress.waiting(2, now: after(9))
    #expect(progress.deadline == after(10.002))
    progress.waiting(5_000, now: after(12))
    #expect(progress.deadline == after(15))
  }

  @Test func theNextFrameHasATimeOfItsOwn() {
    var progress = FrameProgress(grace: .seconds(10), bytesPerSecond: 1000)
    progress.waiting(500, now: start)
    progress.frameEnded()
    progress.waiting(3, now: after(8))
    #expect(progress.deadline == after(18.003))
    progress.frameEnded()
    progress.waiting(0, now: after(9))
    #expect(progress.deadline == .distantFuture)
  }

  @Test func extremeSettingsDoNotOverflow() {
    var never = FrameProgress(grace: .seconds(Int64.max), bytesPerSecond: 1)
    never.waiting(.max, now: start)
    #expect(never.deadline == .distantFuture)
    var nothing = FrameProgress(grace: .seconds(-1), bytesPerSecond: -5)
    nothing.waiting(1, now: start)
    #expect(nothing.deadline == start.advanced(byNanoseconds: 1_000_000_001))
  }
}

@Suite struct IdleCheckTests {
  private let start = MonotonicInstant(nanoseconds: 7)

  private func after(_ seconds: Int64) -> MonotonicInstant {
    start.advanced(by: .seconds(seconds))
  }

  @Test func withoutCallsItIsIdleAfterOneInterval() {
    var check = IdleCheck(.seconds(100), now: start)
    #expect(check.next == after(100))
    let early = check.isIdle(after(99), hasCalls: false)
    let due = check.isIdle(after(100), hasCalls: false)
    let again = check.isIdle(after(300), hasCalls: false)
    #expect(!early && due && !again)
  }

  @Test func aCallPutsItOffByOneInterval() {
    var check = IdleCheck(.seconds(100), now: start)
    check.callCame()
    let first = check.isIdle(after(100), hasCalls: false)
    #expect(!first && check.next == after(200))
    let running = check.isIdle(after(200), hasCalls: true)
    let afterIt = check.isIdle(after(300), hasCalls: false)
    let idle = check.isIdle(after(400), hasCalls: false)
    #expect(!running && !afterIt && idle)
  }

  @Test func withoutAnIntervalItIsNeverIdle() {
    var check = IdleCheck(nil, now: start)
    let isIdle = check.isIdle(.distantFuture, hasCalls: false)
    #expect(!isIdle && check.next == .distantFuture)
  }
}
