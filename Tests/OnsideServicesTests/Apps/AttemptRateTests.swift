import RPC
import Testing

@testable import OnsideServices

@Suite("Rates of attempts")
struct AttemptRateTests {
  private func at(_ seconds: Int64) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: seconds * 1_000_000_000)
  }

  @Test("So many at once, then one in each interval, saved up when it isn't used")
  func rate() {
    var rate = AttemptRate<String>(burst: 3, interval: .seconds(10), capacity: 10)
    func take(_ second: Int64) -> Bool {
      guard rate.wait("a", now: at(second)) == nil else { return false }
      rate.note("a", now: at(second))
      return true
    }
    #expect((0..<5).map { _ in take(0) } == [true, true, true, false, false])
    #expect(rate.wait("a", now: at(4)) == .seconds(6))
    #expect(rate.wait("b", now: at(4)) == nil)
    #expect([take(9), take(10), take(10)] == [false, true, false])
    #expect((0..<5).map { _ in take(1_000) } == [true, true, true, false, false])
  }

  @Test("What is forgiven or forgotten doesn't count")
  func forgives() {
    var rate = AttemptRate<String>(burst: 1, interval: .seconds(10), capacity: 10)
    rate.note("a", now: at(0))
    rate.forgive("a")
    #expect(rate.wait("a", now: at(0)) == nil)
    rate.note("a", now: at(0))
    rate.note("a", now: at(0))
    rate.forgive("a")
    #expect(rate.wait("a", now: at(0)) == .seconds(10))
    rate.forget("a")
    #expect(rate.wait("a", now: at(0)) == nil)
    rate.forgive("nobody")
    #expect(rate.count == 0)
  }

  @Test("The table never grows over its capacity, and keeps who came last")
  func bounded() {
    var rate = AttemptRate<Int>(burst: 1, interval: .seconds(10), capacity: 100)
    var largest = 0
    for key in 0..<10_000 {
      rate.note(key, now: at(0))
      largest = max(largest, rate.count)
    }
    #expect(largest <= 100)
    #expect(rate.wait(9_999, now: at(0)) == .seconds(10))
    #expect(rate.wait(9_960, now: at(0)) == .seconds(10))
    #expect(rate.wait(0, now: at(0)) == nil)
  }
}
