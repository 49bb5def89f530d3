import LoadReporting
import Testing

@testable import LoadGenerator

@Suite struct SecondMergeTests {
  private func second(_ number: Int, _ values: [UInt64], failed: Int = 0) -> ToldSecond {
    var latency = LatencyHistogram()
    for value in values { latency.record(value) }
    var figures = SecondFigures(
      second: Double(number), isMeasured: number > 1, ok: values.count, failed: failed,
      p50: latency.percentile(0.5), p99: latency.percentile(0.99), clientCores: 0.5)
    figures.inFlight = 3
    return ToldSecond(figures: figures, latency: latency)
  }

  @Test func secondsAreMergedWhenAllAgentsHaveToldThem() {
    var merge = SecondMerge(agents: 2)
    merge.add(second(1, [10]), of: 0)
    merge.add(second(2, [20]), of: 0)
    #expect(merge.takeNew().isEmpty)
    merge.add(second(1, [30, 40], failed: 1), of: 1)
    let new = merge.takeNew()
    #expect(new.map(\.ok) == [3])
    #expect(new.map(\.failed) == [1])
    #expect(new.first?.p50 == 30)
    #expect(new.first?.max == 40)
    #expect(new.first?.clientCores == 1)
    #expect(new.first?.isMeasured == false)
    #expect(merge.takeNew().isEmpty)
    #expect(merge.series.count == 1)
  }

  @Test func agentThatIsOverHoldsNothingUp() {
    var merge = SecondMerge(agents: 2)
    merge.add(second(1, [10]), of: 0)
    merge.add(second(2, [20]), of: 0)
    merge.add(second(1, [30]), of: 1)
    merge.end(1)
    #expect(merge.takeNew().map(\.ok) == [2, 1])
    merge.end(0)
    #expect(merge.takeNew().isEmpty)
  }

  @Test func percentilesAreThoseOfAllValues() {
    var random = SeededRandom(seed: 5)
    let values = (0..<4).map { _ in
      (0..<500).map { _ in UInt64.random(in: 1...5_000_000_000, using: &random) }
    }
    var merge = SecondMerge(agents: 4)
    for (agent, values) in values.enumerated() { merge.add(second(2, values), of: agent) }
    var all = LatencyHistogram()
    for value in values.joined() { all.record(value) }
    let merged = merge.takeNew()
    #expect(merged.first?.p50 == all.percentile(0.5))
    #expect(merged.first?.p90 == all.percentile(0.9))
    #expect(merged.first?.p99 == all.percentile(0.99))
  }

  @Test func totalsOfALostAgentAddUp() {
    var totals = ToldTotals()
    totals.add(second(1, [10]))
    totals.add(second(2, [20, 30], failed: 2))
    #expect(totals.seconds == 2)
    #expect(totals.measuredSeconds == 1)
    #expect(totals.calls.okOutside == 1)
    #expect(totals.calls.ok == 2)
    #expect(totals.calls.failed == 2)
    #expect(totals.calls.unanswered == 0, "what became of those under way isn't known")
    #expect(totals.calls.sent == 5)
    #expect(totals.calls.latency.count == 2)
    #expect(totals.cpuNanoseconds == 500_000_000)
  }

  @Test func secondIsTheSameAfterItsWay() throws {
    let sent = second(2, [1, 1_000, 999_999_999])
    #expect(try ToldSecond(json: JSONValue(parsing: sent.json.compact())) == sent)
  }
}
