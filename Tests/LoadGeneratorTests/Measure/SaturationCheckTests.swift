import LoadReporting
import Testing

@testable import LoadGenerator

@Suite struct SaturationCheckTests {
  private func check(
    _ busiest: [Double], lag: UInt64 = 1000, isPaced: Bool = true, cores: Double = 0.5,
    usable: Int = 2, loops: Int = 1
  ) -> SaturationCheck {
    var histogram = LatencyHistogram()
    for _ in 0..<100 { histogram.record(lag) }
    return SaturationCheck(
      isPaced: isPaced, busiest: busiest, lag: isPaced ? histogram : LatencyHistogram(),
      processCores: cores, usableCores: usable, loops: loops)
  }

  @Test func busyLoopIsTheLimitIfItIsForMostOfTheWindow() {
    #expect(check([0.2, 0.99, 0.3, 0.4]).reasons == [])
    #expect(check([0.96, 0.99, 0.95, 0.4]).reasons.count == 1)
    #expect(check([]).reasons == [])
    #expect(check([0.96, 0.99]).reasons[0].contains("2 of 2 s"))
  }

  @Test func lateGeneratorIsTheLimit() {
    #expect(check([0.2], lag: 9_000_000).reasons == [])
    let reasons = check([0.2], lag: 30_000_000).reasons
    #expect(reasons.count == 1)
    #expect(reasons[0].contains("planned start") && reasons[0].contains("10 ms"))
  }

  @Test func coresThatItMayUseAreTheLimit() {
    #expect(check([0.5], cores: 0.99, usable: 1, loops: 2).reasons.count == 1)
    #expect(check([0.5], cores: 0.7, usable: 1, loops: 2).reasons == [])
  }

  @Test func closedLoopOnlyRemarksIt() {
    let closed = check([0.99, 0.99], isPaced: false)
    #expect(closed.reasons == [])
    #expect(closed.remarks.count == 1)
  }
}
