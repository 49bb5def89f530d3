import OnsideDomain
import Testing

@Suite struct PeriodTests {
  @Test(
    arguments: [
      ("P3D", 3, .day), ("P1W", 1, .week), ("P1M", 1, .month), ("P2M", 2, .month),
      ("P1Y", 1, .year),
      ("P10000D", 10_000, .day),
    ] as [(String, Int, Period.Unit)])
  func readsAndWrites(text: String, count: Int, unit: Period.Unit) throws {
    let period = try #require(Period(iso8601: text))
    #expect(period == Period(count, unit))
    #expect(period.iso8601 == text)
  }

  @Test(arguments: [
    "", "P", "P1", "PM", "1M", "p1m", "P0M", "P-1M", "P1.5M", "P1M2D", "PT1H", "P10001D", "P1M ",
    "P+1M", "P99999999999999999999Y", "P1X", "P١M", "P1É",
  ])
  func refuses(text: String) {
    #expect(Period(iso8601: text) == nil)
  }

  @Test func isNeverEmptyOrEndless() {
    #expect(Period(0, .day) == nil)
    #expect(Period(-1, .day) == nil)
    #expect(Period(Period.maximumCount + 1, .day) == nil)
    #expect(Period(Period.maximumCount, .day) != nil)
  }
}
