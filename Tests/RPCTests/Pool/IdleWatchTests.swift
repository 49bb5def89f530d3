import RPCClient
import RPCCore
import Testing

@Suite struct IdleWatchTests {
  private func at(_ seconds: Int64) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: seconds * 1_000_000_000)
  }

  @Test func idleIsWhatHadNoCallForTheTimeout() {
    var watch = IdleWatch(timeout: .seconds(8))
    #expect(watch.interval == .seconds(2))
    let looks: [(second: Int64, activity: Int, isBusy: Bool, isIdle: Bool)] = [
      (0, 5, false, false), (2, 5, false, false), (4, 6, false, false), (6, 6, true, false),
      (8, 6, false, false), (13, 6, false, false), (14, 6, false, true), (15, 7, false, false),
    ]
    for look in looks {
      let isIdle = watch.sample(
        activity: look.activity, isBusy: look.isBusy, now: at(look.second))
      #expect(isIdle == look.isIdle, "at \(look.second) s")
    }
  }

  @Test func aCallThatLastsIsNoIdleness() {
    var watch = IdleWatch(timeout: .seconds(1))
    for second in 0..<100 {
      let isIdle = watch.sample(activity: 1, isBusy: true, now: at(Int64(second)))
      #expect(!isIdle)
    }
  }
}

@Suite struct ConnectionAgeTests {
  private let opened = MonotonicInstant(nanoseconds: 1_000_000_000)

  @Test(arguments: [(0.0, 10.0), (0.5, 11.0), (0.999999999, 12.0)])
  func theEndIsSpread(random: Double, seconds: Double) {
    let age = ConnectionAge(maximum: .seconds(10), jitter: 0.1)
    let end = age.end(opened: opened, random: random)
    #expect(abs(Double(end.nanoseconds) / 1e9 - seconds) < 0.001)
  }

  @Test func withoutAMaximumThereIsNoEnd() {
    let age = ConnectionAge(maximum: nil, jitter: 7)
    #expect(age.end(opened: opened, random: 0.9) == .distantFuture)
  }

  @Test func noSpreadGoesBelowZero() {
    let age = ConnectionAge(maximum: .seconds(10), jitter: 7)
    #expect(age.end(opened: opened, random: 0) == opened)
  }
}
