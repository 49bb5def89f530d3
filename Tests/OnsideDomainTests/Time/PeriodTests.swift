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

@Suite("Ends of periods")
struct PeriodEndTests {
  @Test(
    "A period ends on the same day of the month, or on its last",
    arguments: [
      ("2026-01-31T10:00:00.500Z", "P1M", "2026-02-28T10:00:00.500Z"),
      ("2028-01-31T10:00:00.000Z", "P1M", "2028-02-29T10:00:00.000Z"),
      ("2028-02-29T00:00:00.000Z", "P1Y", "2029-02-28T00:00:00.000Z"),
      ("2026-11-15T23:59:59.999Z", "P3M", "2027-02-15T23:59:59.999Z"),
      ("2026-12-01T00:00:00.000Z", "P1M", "2027-01-01T00:00:00.000Z"),
      ("2026-12-31T00:00:00.000Z", "P1W", "2027-01-07T00:00:00.000Z"),
      ("2026-02-27T00:00:00.000Z", "P3D", "2026-03-02T00:00:00.000Z"),
      ("1969-12-31T23:00:00.000Z", "P2M", "1970-02-28T23:00:00.000Z"),
    ])
  func ends(start: String, period: String, end: String) throws {
    let start = try #require(Timestamp(rfc3339: start))
    #expect(try #require(Period(iso8601: period)).end(from: start).rfc3339 == end)
  }
}
