import Testing

@testable import LoadReporting

@Suite struct ThresholdTests {
  private static let names = [
    "p50", "p90", "p99.9", "p99.99", "min", "mean", "max", "total.p99", "rpc.p99", "service.p99",
    "lag.max", "wait_for_slot.p50", "errors", "skipped", "late", "delivered", "resumed", "rate",
    "server.cpu", "client.cpu", "server.memory",
  ]

  @Test(arguments: names)
  func everyFigureIsFoundInAReportThatHasAll(_ name: String) throws {
    let figure = try #require(ThresholdFigure(name))
    #expect(figure.value(in: .full, asShare: false) != nil)
    #expect(figure.value(in: .full, asShare: true) != nil)
  }

  /// 1,000 right answers of 1…1000 µs in 2 s, and 10 failed; percentiles are within 0.4 %.
  @Test(arguments: [
    ("p50 > 1ms", "501 µs", false), ("p50>0.4ms", "501 µs", true),
    ("  max >= 1000 us ", "1.00 ms", true),
    ("max > 1ms", "1.00 ms", false), ("p99.9 < 1s", "997 µs", true),
    ("mean <= 500us", "501 µs", false),
    ("errors > 0.1%", "0.93%", true), ("errors > 1%", "0.93%", false), ("errors > 9", "10", true),
    ("errors>10", "10", false), ("rate < 501", "500/s", true), ("rate < 500/s", "500/s", false),
    ("server.cpu > 1.5us", "2.00 µs", true), ("server.memory > 4MiB", "3.0 MiB", false),
    ("resumed < 95%", "0%", true),
  ])
  func isEvaluated(_ text: String, _ actual: String, _ isCrossed: Bool) throws {
    let result = try Threshold(parsing: text).evaluate(.sample(failed: 10))
    #expect(result == ThresholdResult(text: text, actual: actual, isCrossed: isCrossed))
  }

  @Test(arguments: ["service.p99 > 1h", "p99 > 1", "p99 > 1%", "p99 > 1MiB", "p99 > 1 2ms"])
  func wrongUnitsAreRefused(_ text: String) {
    #expect(throws: ThresholdError.self) { try Threshold(parsing: text) }
  }

  @Test func aFigureThatIsNotThereIsCrossed() throws {
    for text in ["service.p99 > 1s", "delivered < 1%", "lag.p99 > 1s"] {
      let result = try Threshold(parsing: text).evaluate(.sample())
      #expect(result == ThresholdResult(text: text, actual: nil, isCrossed: true))
    }
    let none = try Threshold(parsing: "p99 > 1s").evaluate(.sample(ok: 0, failed: 1))
    #expect(none.isCrossed && none.actual == nil)
    var remote = LoadReport.sample()
    remote.server = nil
    #expect(try Threshold(parsing: "server.cpu > 1s").evaluate(remote).isCrossed)
  }

  @Test(arguments: [
    ("", 1, "no figure; expected p50"), ("p98x > 1ms", 1, "p98x is no figure"),
    ("p100 > 1ms", 1, "p100 is no figure"), ("p0 > 1ms", 1, "p0 is no figure"),
    ("lunch.p99 > 1ms", 1, "lunch.p99 is no figure"), ("p99", 4, "no comparison; expected >, >="),
    ("p99 >> 1ms", 5, ">> is no comparison"), ("p99 = 1ms", 5, "= is no comparison"),
    ("p99 >", 6, "no value; expected a time as in 10ms"), ("p99 > nan", 7, "nan is no value"),
    ("p99 > inf", 7, "inf is no value"), ("p99 > -1ms", 7, "a negative value"),
    ("p99 > .5ms", 7, ".5ms is no value"), ("p99 > 1.2.3ms", 7, "1.2.3ms is no value"),
    ("p99 > 10", 9, "no unit; expected a time"), ("p99 > 10 min", 10, "min is no unit of it"),
    ("errors > 101%", 10, "101% is out of range"), ("errors > 1ms", 11, "ms is no unit of it"),
    ("delivered < 99", 15, "no unit; expected a share as in 0.1%"),
    ("p99 > 1ms or so", 11, "nothing may stand here"), ("p99 > 1e3ms", 8, "e3ms is no unit of it"),
    ("rate < 1000 calls", 13, "calls is no unit of it"),
  ])
  func mistakesHaveAPlaceAndSayWhatIsPermitted(
    _ text: String, _ column: Int, _ reason: String
  ) {
    let error = #expect(throws: ThresholdError.self) { try Threshold(parsing: text) }
    #expect(error?.column == column)
    #expect(error?.reason.hasPrefix(reason) == true, "\(error?.reason ?? "")")
    #expect(error?.description.hasPrefix("'\(text)', column \(column): ") == true)
  }

  @Test func thresholdsDecideTheVerdict() throws {
    var report = LoadReport.sample(failed: 1)
    report.thresholds = [try Threshold(parsing: "errors > 1%").evaluate(report)]
    #expect(report.verdict == .passed)
    report.thresholds.append(try Threshold(parsing: "p99 > 1us").evaluate(report))
    #expect(report.verdict == .thresholdCrossed)
  }
}
