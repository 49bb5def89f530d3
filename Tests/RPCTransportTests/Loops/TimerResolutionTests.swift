import RPCCore
import Testing

@testable import RPCTransport

@Suite("Timer resolution")
struct TimerResolutionTests {
  @Test(arguments: [
    (Int64.min, Int64(0)), (-1, 0), (0, 0), (1, 1_000_000), (999_999, 1_000_000),
    (1_000_000, 1_000_000), (1_000_001, 2_000_000), (.max, .max),
  ])
  func wholeMillisecondsAreRoundedUp(left: Int64, wait: Int64) {
    #expect(TimerResolution.milliseconds.wait(left) == wait)
  }

  @Test(arguments: [
    (Int64.min, Int64(0)), (-1, 0), (0, 0), (1, 1), (300_001, 300_001), (.max, .max),
  ])
  func exactIsAsLongAsItTakes(left: Int64, wait: Int64) {
    #expect(TimerResolution.exact.wait(left) == wait)
  }

  /// What a loop hands to its poller before it sleeps until its earliest timer.
  @Test func onlyLoopsThatAskForItWakeBetweenMilliseconds() async throws {
    let coarse = try EventLoopGroup(loops: 1)
    let exact = try EventLoopGroup(loops: 1, timerResolution: .exact)
    #expect(await timeouts(of: coarse.first).allSatisfy { $0.isMultiple(of: 1_000_000) })
    // One in a million is a whole millisecond by chance.
    #expect(await timeouts(of: exact.first).contains { !$0.isMultiple(of: 1_000_000) })
    await coarse.shutdown()
    await exact.shutdown()
  }

  private func timeouts(of loop: EventLoop) async -> [Int64] {
    await loop.run {
      let timer = loop.makeTimer {}
      defer { timer.disarm() }
      return (1...8).map { (round: Int64) in
        timer.arm(at: MonotonicInstant.current().advanced(byNanoseconds: 3_600_000_123 * round))
        return loop.timeout()
      }
    }
  }

  @Test func withoutTimersALoopSleepsForEver() async throws {
    let group = try EventLoopGroup(loops: 1, timerResolution: .exact)
    let loop = group.first
    #expect(await loop.run { loop.timeout() } == -1)
    await group.shutdown()
  }
}
