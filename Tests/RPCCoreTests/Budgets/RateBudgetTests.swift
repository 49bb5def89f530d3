import Testing

@testable import RPCCore

@Suite struct RateBudgetTests {
  private let window: Int64 = 30_000_000_000
  private func at(_ seconds: Double) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: Int64(seconds * 1e9))
  }

  @Test func exactlyTheLimitInAWindow() {
    var budget = RateBudget()
    for index in 0..<200 {
      #expect(budget.spend(limit: 200, window: window, now: at(100 + Double(index) * 0.01)) == true)
    }
    #expect(budget.spend(limit: 200, window: window, now: at(103)) == false)
    #expect(budget.spend(limit: 200, window: window, now: at(129.9)) == false)
  }

  @Test func theWindowSlides() {
    var budget = RateBudget()
    for _ in 0..<10 { #expect(budget.spend(limit: 10, window: window, now: at(0)) == true) }
    // Half of the earlier period is still covered: five of its ten count.
    var spent = 0
    while budget.spend(limit: 10, window: window, now: at(45)) { spent += 1 }
    #expect(spent == 5)
    #expect(budget.spend(limit: 10, window: window, now: at(105)) == true)
  }

  @Test func aSteadyRateBelowTheLimitGoesOnForEver() {
    var budget = RateBudget()
    for second in 0..<3_000 {
      #expect(budget.spend(limit: 31, window: window, now: at(Double(second))) == true)
    }
  }

  @Test func aSteadyRateAboveTheLimitIsRefused() {
    var budget = RateBudget()
    var refused = 0
    for step in 0..<600 where !budget.spend(limit: 30, window: window, now: at(Double(step) / 2)) {
      refused += 1
    }
    #expect(refused > 200 && refused < 400, "about half of 600: \(refused)")
  }

  @Test func oddClocksAndLimitsDontTrap() {
    var budget = RateBudget()
    #expect(budget.spend(limit: 0, window: 0, now: at(1)) == false)
    #expect(
      budget.spend(limit: .max, window: .max, now: MonotonicInstant(nanoseconds: .max)) == true)
    #expect(budget.spend(limit: .max, window: -1, now: MonotonicInstant(nanoseconds: .min)) == true)
    #expect(budget.spend(limit: 5, window: .max, now: at(0)) == true)
  }
}

@Suite struct LateFramesTests {
  @Test func expectedFramesAreFreeAndBounded() {
    var late = LateFrames()
    #expect(late.take() == false)
    late.expect(2)
    #expect(late.take() == true)
    #expect(late.take() == true)
    #expect(late.take() == false)
    for _ in 0..<1_000 { late.expect(.max) }
    #expect(late.expected <= 4 * 1024 * 1024)
  }
}
