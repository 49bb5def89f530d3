import Testing

@testable import LoadReporting

@Suite struct ReportPageTests {
  @Test("LG-20 the page of a report that was read from JSON is the same byte for byte")
  func pageFromJSON() throws {
    var report = LoadReport.full
    report.seconds = 57.987_654_321_987
    report.series[4].clientCores = 0.494_999_9
    let read = try LoadReport(json: JSONValue(parsing: report.json.indented()))
    #expect(read.page == report.page)
  }

  @Test func aPageNeedsNothingFromElsewhere() {
    let page = LoadReport.full.page
    for word in ["http:", "https:", "src=", "@import", "url(", "<iframe", "<object"] {
      #expect(!page.contains(word), "\(word)")
    }
    #expect(page.contains("default-src 'none'"))
    #expect(page.utf8.count < 400_000)
  }

  @Test func whatTheServerMadeIsEscaped() {
    var report = LoadReport.full
    let evil = "</script><img src=x onerror=alert(1)>"
    report.scenario = evil
    report.tool = evil
    report.serverFacts.build = evil
    report.serverFacts.durability = evil
    report.connections.security = evil
    report.checks[0].sample = evil
    report.checks[0].title = evil
    report.agents[0].name = evil
    report.agents[0].reason = evil
    report.remarks = [evil]
    report.saturation = [evil]
    report.steps[0].name = evil
    report.load = [.init(evil, .array([.string(evil)]))]
    report.commandLine = [evil]
    report.calls.failures.record(.init(phase: .answer, status: evil, reason: evil), evil)
    report.thresholds[0].text = evil
    #expect(!report.page.contains("<img"))
    #expect(report.page.components(of: "</script>") == 2, "one script, one end")
  }

  @Test("LG-02 without an answer there is no latency")
  func withoutAnAnswer() {
    let page = LoadReport.sample(ok: 0, failed: 3).page
    #expect(page.contains("there is no latency"))
    #expect(page.contains("<b><span class=\"soft\">none</span></b><span>p50"))
    #expect(page.contains("✗ failed"))
    #expect(!page.contains("NaN") && !page.contains("inf"))
  }

  @Test func aSharedHostIsSaidLoudly() {
    var report = LoadReport.full
    #expect(report.page.contains("Generator and server shared one machine."))
    report.sharesHost = false
    #expect(!report.page.contains("Generator and server shared one machine."))
  }

  @Test("LG-25 a hundred thousand kinds of errors make a capped table")
  func manyKindsOfErrors() {
    var report = LoadReport.sample(ok: 1)
    for number in 0..<100_000 {
      report.calls.failures.record(
        .init(phase: .answer, status: "UNKNOWN", reason: "R\(number)"), "message \(number)")
    }
    report.calls.failed = 100_000
    let page = report.page
    #expect(page.components(of: "<strong>UNKNOWN</strong>") == FailureTally.mostKinds + 1)
    #expect(page.contains("<strong>OTHER</strong></th><td>99,936</td>"))
    #expect(page.utf8.count < 100_000)
  }

  /// Its few calls are no fall of the rate, and its moment of work no peak of the CPU.
  @Test func partOfASecondAtTheEndIsInNoChart() {
    var report = LoadReport.full
    let points = ReducedSeries(report.series).points
    var last = report.series[59]
    last.second += 0.01
    last.ok = 3
    last.clientCores = 1
    report.series.append(last)
    #expect(ReducedSeries(report.series).points == points)
    let figures = ReportComparison(before: .full, after: report).figures
    #expect(figures == ReportComparison(before: .full, after: .full).figures)
    // A longer one is nearly a second, and a run that has no other is all that there is.
    report.series[60].second += 0.6
    #expect(ReducedSeries(report.series).points.count == 61)
    #expect(ReducedSeries([last]).points == [last])
  }

  @Test func settingsAreInWords() {
    let stages = JSONValue.array([
      .members(["from": .integer(100), "to": .integer(400)]), .members(["from": .integer(5)]),
    ])
    #expect(ReportPage.words(stages) == "from 100, to 400; from 5")
    #expect(ReportPage.words(.array([.string("a:1"), .string("b:2")])) == "a:1, b:2")
    #expect(ReportPage.words(.boolean(true)) == "true")
  }

  @Test func commandLinesCanBePasted() {
    #expect(ReportPage.quoted("--rate=10/s") == "--rate=10/s")
    #expect(ReportPage.quoted("p99 > 10ms") == "'p99 > 10ms'")
    #expect(ReportPage.quoted("it's") == "'it'\\''s'")
    #expect(ReportPage.quoted("") == "''")
  }
}

extension String {
  /// How often a piece comes, and one.
  func components(of piece: String) -> Int {
    split(separator: piece, omittingEmptySubsequences: false).count
  }
}
