import LoadReporting
import Testing

@testable import LoadGenerator

@Suite struct ArrivalScheduleTests {
  private func instants(
    _ stages: [LoadStage], _ spacing: ArrivalSchedule.Spacing = .constant, seed: UInt64 = 1
  ) -> [UInt64] {
    var schedule = ArrivalSchedule(stages, spacing, seed: seed)
    var instants: [UInt64] = []
    while let instant = schedule.next() { instants.append(instant) }
    return instants
  }

  private static let counts: [(Double, Double, Int)] = [
    (1, 1, 1), (1, 10, 10), (1000, 10, 10_000), (3, 0.5, 1), (0.29, 100, 29), (0.1, 30, 3),
    (7, 1.0 / 7, 1), (0.5, 1, 0), (33_333.3, 3, 99_999), (1e6, 0.25, 250_000),
  ]

  @Test(arguments: counts)
  func constantRateMakesExactlySoManyCalls(_ rate: Double, _ seconds: Double, _ count: Int) throws {
    let all = instants([try LoadStage(rate: rate, duration: .seconds(seconds))])
    #expect(all.count == count)
    if let first = all.first, let last = all.last {
      #expect(first == 0)
      #expect(Double(last) < seconds * 1e9)
    }
  }

  @Test func constantRateHasEvenDistances() throws {
    let all = instants([try LoadStage(rate: 1000, duration: .seconds(2))])
    #expect(all == (0..<2000).map { UInt64($0) * 1_000_000 })
  }

  @Test func partsOfACallGoOverToTheNextStage() throws {
    let half = try LoadStage(rate: 1.5, duration: .seconds(1))
    #expect(instants([half]).count == 1)
    #expect(instants([half, half]).count == 3)
    let steps = [
      try LoadStage(rate: 100, duration: .seconds(10)),
      try LoadStage(rate: 200, duration: .seconds(10)),
    ]
    let all = instants(steps)
    #expect(all.count == 3000)
    #expect(all.count { $0 < 10_000_000_000 } == 1000)
  }

  @Test func rampIsIntegratedRightly() throws {
    let up = try LoadStage(from: 100, to: 500, duration: .seconds(30))
    let all = instants([up])
    #expect(all.count == 9000)
    #expect(all == all.sorted())
    // After t seconds, 100·t + 400/30·t²/2 calls have been planned.
    for seconds in stride(from: 1.0, through: 29, by: 4) {
      let expected = 100 * seconds + 400.0 / 30 * seconds * seconds / 2
      let count = all.count { Double($0) < seconds * 1e9 }
      #expect(abs(Double(count) - expected) <= 1)
    }
    let down = instants([try LoadStage(from: 500, to: 0, duration: .seconds(4))])
    #expect(down.count == 1000)
    #expect(down == down.sorted())
    let fromNothing = instants([try LoadStage(from: 0, to: 500, duration: .seconds(4))])
    #expect(fromNothing.count == 1000)
    #expect((fromNothing.last ?? .max) < 4_000_000_000)
  }

  @Test func randomCallsHaveTheMeanAndTheVarianceOfAPoissonProcess() throws {
    let stage = try LoadStage(rate: 1000, duration: .seconds(200))
    let all = instants([stage], .poisson, seed: 42)
    // The number's standard deviation is √200000 ≈ 447.
    #expect(abs(all.count - 200_000) < 4 * 447)
    var perSecond = [Double](repeating: 0, count: 200)
    for instant in all { perSecond[Int(instant / 1_000_000_000)] += 1 }
    let mean = perSecond.reduce(0, +) / 200
    let variance = perSecond.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 199
    #expect(abs(mean - 1000) < 10)
    // The variance of a Poisson process is its mean; of 200 samples it scatters by 10 %.
    #expect(variance > 600 && variance < 1400)
    let gaps = zip(all.dropFirst(), all).map { Double($0 - $1) / 1e6 }
    let gapMean = gaps.reduce(0, +) / Double(gaps.count)
    let gapVariance =
      gaps.reduce(0) { $0 + ($1 - gapMean) * ($1 - gapMean) } / Double(gaps.count)
    #expect(abs(gapMean - 1) < 0.02)
    #expect(abs(gapVariance - 1) < 0.05)
  }

  @Test func randomCallsFollowFromTheSeed() throws {
    let stage = try LoadStage(from: 10, to: 1000, duration: .seconds(3))
    #expect(instants([stage], .poisson, seed: 7) == instants([stage], .poisson, seed: 7))
    #expect(instants([stage], .poisson, seed: 7) != instants([stage], .poisson, seed: 8))
    let all = instants([stage], .poisson, seed: 7)
    #expect(all == all.sorted())
    #expect((all.last ?? .max) < 3_000_000_000)
  }

  @Test("LG-22 a rate of 0, a negative one and NaN are refused with a text")
  func ratesThatCanNotBeAreRefused() {
    for rate in [0, -1, Double.nan, .infinity, -.infinity, 1e8] {
      let error = #expect(throws: PlanError.self) {
        try LoadStage(rate: rate, duration: .seconds(1))
      }
      #expect(error?.description.contains("more than 0 and at most 10000000") == true)
    }
    #expect(throws: PlanError.self) { try LoadStage(rate: 1, duration: .zero) }
    #expect(throws: PlanError.self) { try LoadStage(from: 1, to: -1, duration: .seconds(1)) }
  }
}
