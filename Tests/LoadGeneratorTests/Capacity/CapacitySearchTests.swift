import LoadReporting
import Testing

@testable import LoadGenerator

@Suite struct CapacitySearchTests {
  /// Goes through a search on a server that holds up to a limit; `stray` are numbers of probes that
  /// go the other way.
  private func search(
    holdsUpTo limit: Double, _ limits: CapacitySearch.Limits = .init(), stray: Set<Int> = []
  ) -> (CapacitySearch, probes: [Double]) {
    var search = CapacitySearch(limits)
    var probes: [Double] = []
    while let rate = search.next() {
      probes.append(rate)
      search.record(rate, passed: (rate <= limit) != stray.contains(probes.count))
      if probes.count > 1000 { break }
    }
    return (search, probes)
  }

  @Test(arguments: [3.5, 37.0, 99, 100, 101, 1234, 5000, 123_456, 999_999])
  func limitIsFoundWithinThePrecision(_ limit: Double) throws {
    let (search, probes) = search(holdsUpTo: limit)
    let low = try #require(search.highestPassing)
    let high = try #require(search.lowestFailing)
    #expect(low.rate <= limit && high.rate > limit)
    #expect(high.rate <= low.rate * 1.06)
    #expect(low.count >= 3 && high.count >= 3)
    #expect(low.isUnanimous && high.isUnanimous)
    #expect(probes.count <= 40)
  }

  @Test func rateIsDoubledAndThenTheGapHalved() {
    let (_, probes) = search(holdsUpTo: 650)
    #expect(probes.prefix(4) == [100, 200, 400, 800])
    #expect(probes.dropFirst(4).prefix(3) == [600, 700, 650])
  }

  @Test func serverThatHoldsEverythingEndsAtTheHighestRate() throws {
    var limits = CapacitySearch.Limits()
    limits.to = 1000
    let (search, probes) = search(holdsUpTo: .infinity, limits)
    #expect(search.lowestFailing == nil)
    #expect(search.highestPassing?.rate == 1000)
    #expect(probes == [100, 200, 400, 800, 1000, 1000, 1000])
  }

  @Test func serverThatHoldsNothingEndsToo() {
    let (search, probes) = search(holdsUpTo: 0)
    #expect(search.highestPassing == nil)
    #expect((search.lowestFailing?.rate ?? 0) >= 1)
    #expect(probes.count <= 40)
  }

  @Test(arguments: 1...20)
  func oneStrayProbeDoesNotMoveTheAnswer(_ number: Int) throws {
    let (search, probes) = search(holdsUpTo: 650, stray: [number])
    let low = try #require(search.highestPassing)
    let high = try #require(search.lowestFailing)
    #expect(low.rate < high.rate)
    #expect(probes.count <= 40)
    // A stray failure during the ascent is outvoted when both ends are probed again.
    #expect(low.rate >= 300 && low.rate <= 700, "\(probes)")
  }

  @Test func numberOfProbesIsBounded() {
    var limits = CapacitySearch.Limits()
    limits.precision = 0
    limits.votes = 20
    var search = CapacitySearch(limits)
    var random = SeededRandom(seed: 3)
    var probes = 0
    while let rate = search.next() {
      search.record(rate, passed: Bool.random(using: &random))
      probes += 1
    }
    #expect(probes <= limits.mostProbes)
  }

  @Test func ratesAreRoundedToFourDigits() {
    #expect(CapacitySearch.rounded(123_456.7) == 123_500)
    #expect(CapacitySearch.rounded(150) == 150)
    #expect(abs(CapacitySearch.rounded(1.23456) - 1.235) < 1e-9)
  }
}
