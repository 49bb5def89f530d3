import Testing

@testable import LoadReporting

extension LoadReport {
  /// A report with figures in every place.
  static func sample(
    ok: Int = 1000, failed: Int = 0, ending: Ending = .duration, checks: [CheckResult] = []
  ) -> LoadReport {
    var calls = CallFigures()
    calls.sent = ok + failed + 64
    calls.ok = ok
    calls.okOutside = 64
    calls.failed = failed
    for number in 0..<ok { calls.latency.record(UInt64(number + 1) * 1000) }
    for _ in 0..<failed {
      calls.failures.record(
        .init(phase: .answer, status: "UNAVAILABLE", reason: "STORE_FAILED"), "no\u{1B}[31m store")
    }
    var connections = ConnectionFigures()
    connections.opened = 64
    connections.fullHandshakes = 64
    connections.security = "TLSv1.3"
    return LoadReport(
      scenario: "session-create", commandLine: ["onside-load", "run"], startedAt: 0,
      machine: Machine(hostName: "h", kernel: "Linux 6", cpuModel: "c", usableCores: 1, cores: 2),
      sharesHost: true, load: [.init("connections", .integer(64))], ending: ending, seconds: 2,
      calls: calls, steps: [], connections: connections,
      client: ProcessFigures(
        pid: 1, cpuNanoseconds: 1_000_000, residentBytes: 1 << 20, peakResidentBytes: 2 << 20),
      server: ProcessFigures(
        pid: 2, cpuNanoseconds: 2_000_000, residentBytes: 3 << 20, peakResidentBytes: 4 << 20),
      checks: checks,
      series: [
        SecondFigures(
          second: 1, isMeasured: true, ok: ok, failed: failed, p50: 500_000, p99: nil,
          clientCores: 0.5, serverCores: 1, serverResidentBytes: 3 << 20)
      ])
  }
}

@Suite struct LoadReportTests {
  private let violated = CheckResult(name: "c", title: "a check", checked: 5, violations: 1)

  @Test func jsonHasTheDocumentedMembers() throws {
    let json = try JSONValue(parsing: LoadReport.sample().json.indented())
    #expect(json["schema"]?.string == "onside-load/2")
    #expect(json["scenario"]?.string == "session-create")
    #expect(json["calls", "ok"]?.double == 1000)
    #expect(json["calls", "failed"]?.double == 0)
    #expect(json["ok_per_second"]?.double == 500)
    #expect(json["calls", "ok_per_second"]?.double == 500)
    for latency in [json["latency_us"], json["calls", "latency_us"]] {
      #expect(latency?["max"]?.double == 1000)
      for (name, wanted) in [("p50", 500.0), ("p90", 900), ("p99", 990), ("p99_9", 999)] {
        let given = try #require(latency?[name]?.double)
        #expect(abs(given - wanted) <= wanted * 0.005, "\(name)")
      }
    }
    #expect(json["client", "cpu_us_per_call"]?.double == 1)
    #expect(json["server", "cpu_us_per_call"]?.double == 2)
    #expect(json["server", "rss_bytes"]?.double == Double(3 << 20))
    #expect(json["calls", "request_bytes"] == .null)
    #expect(json["started_at"]?.string == "1970-01-01T00:00:00Z")
    #expect(json["verdict"]?.string == "passed")
    #expect(json["series"]?.elements?.count == 1)
  }

  @Test("LG-05 with one, two and three answers all percentiles are exact", arguments: 1...3)
  func fewAnswers(_ count: Int) {
    let times = [1_234_567, 7_654_321, 99_999_999].prefix(count)
    var report = LoadReport.sample(ok: 0)
    report.calls.ok = count
    for time in times { report.calls.latency.record(UInt64(time)) }
    let exact = times.map { Double($0) / 1e3 }
    let latency = report.json["latency_us"]
    #expect(latency?["min"]?.double == exact.first)
    #expect(latency?["p50"]?.double == exact[(count - 1) / 2])
    for name in ["p90", "p99", "p99_9", "max"] {
      #expect(latency?[name]?.double == exact.last, "\(name)")
    }
    let most = Wording.time(microseconds: exact.last)
    #expect(report.text(.plain).contains("p99 \(most) · p99.9 \(most) · max \(most)\n"))
    #expect(report.page.contains("<td>\(most)</td></tr>"))
  }

  @Test("LG-02 without a success there is no latency, and no cost per call")
  func withoutASuccessThereIsNoLatencyAndNoCostPerCall() throws {
    let report = LoadReport.sample(ok: 0, failed: 3)
    let json = try JSONValue(parsing: report.json.compact())
    #expect(json["latency_us", "p50"] == .null)
    #expect(json["latency_us", "max"] == .null)
    #expect(json["ok_per_second"]?.double == 0)
    #expect(json["server", "cpu_us_per_call"] == .null)
    #expect(json["verdict"]?.string == "failed")
    let failure = try #require(json["calls", "failures"]?.elements?.first)
    #expect(failure["status"]?.string == "UNAVAILABLE")
    #expect(failure["reason"]?.string == "STORE_FAILED")
    #expect(failure["count"]?.double == 3)
    #expect(report.text(.plain).contains(/\n  latency +none\n/))
  }

  @Test func verdicts() {
    #expect(LoadReport.sample().verdict == .passed)
    #expect(LoadReport.sample(failed: 1).verdict == .failed)
    #expect(LoadReport.sample(ok: 0).verdict == .failed)
    #expect(LoadReport.sample(ending: .aborted("x")).verdict == .failed)
    #expect(LoadReport.sample(ending: .interrupted).verdict == .interrupted)
    #expect(LoadReport.sample(checks: [violated]).verdict == .checksViolated)
    var unanswered = LoadReport.sample()
    unanswered.calls.unanswered = 1
    #expect(unanswered.verdict == .failed)
  }

  @Test func textForPeopleShowsFailuresWithoutDrivingTheTerminal() {
    let text = LoadReport.sample(failed: 2, checks: [violated]).text(.plain)
    #expect(text.contains("1,000 ok · 2 failed · 500/s"))
    #expect(text.contains("2 × answer UNAVAILABLE STORE_FAILED"))
    #expect(text.contains("a check: 5 checked, 1 wrong"))
    #expect(!text.contains("\u{1B}"))
    #expect(LoadReport.sample().text(TextStyle(usesColour: true)).contains("\u{1B}[32m0 failed"))
  }

  @Test func textShowsDeliveryPhasesThresholdsAndWarnings() {
    let text = LoadReport.full.text(.plain)
    #expect(text.hasPrefix("session-return  58.0 s measured, checks violated\n"))
    for (name, said) in [
      ("delivered", "99.7% of 116,000 planned · 120 skipped · 58 unsent · 40 late · lag "),
      ("  service time", "p50 364 µs"), ("threshold", "p99 > 10ms: 8.41 ms, kept"),
      ("threshold", "errors > 0.1%: 0.31%, crossed"),
      ("saturated", "the generator used 1.02 of 1 core"),
      ("agent lost", "10.0.0.2:9700: connection lost"),
      ("remark", "shares the host with the server"),
    ] {
      let isThere = text.split(separator: "\n").contains { line in
        line.hasPrefix("  \(name)  ")
          && line.dropFirst(name.count + 2).drop { $0 == " " }.hasPrefix(said)
      }
      #expect(isThere, "\(name): \(said)")
    }
    #expect(text.components(of: "shares the host") == 2, "said once")
    var alone = LoadReport.sample()
    #expect(alone.text(.plain).contains("shares the host"))
    alone.sharesHost = false
    #expect(!alone.text(.plain).contains("remark"))
    #expect(!alone.text(.plain).contains("delivered"))
  }

  /// Whatever the longest name is.
  @Test(arguments: ["a", "network and queues", "event on an open connection after the answer"])
  func whatIsSaidBeginsInOneColumn(name: String) throws {
    var report = LoadReport.full
    report.steps = [.example(name)]
    for text in [report.text(.plain), LoadReport.sample(failed: 1).text(.plain)] {
      let rows = text.split(separator: "\n").dropFirst()
      // A name is indented by two or four, and parted from the rest by at least two.
      let columns = rows.map { row in
        let end = row.firstMatch(of: /^ +(\S+ )*\S+ {2,}|^ +/)?.range.upperBound
        return row.distance(from: row.startIndex, to: end ?? row.startIndex)
      }
      #expect(Set(columns).count == 1, "\(columns)\n\(text)")
    }
  }

  @Test func tableAlignsItsColumns() throws {
    var purchase = LoadReport.sample(failed: 7)
    purchase.scenario = "purchase"
    purchase.steps = [StepFigures(name: "CreatePurchase")]
    var remote = LoadReport.sample()
    remote.server = nil
    let reports = [LoadReport.sample(), purchase, remote].map { (name: "f", value: $0.json) }
    let text = try ReportTable(reports).text(.plain)
    let lines = text.split(separator: "\n")
    #expect(lines.count == 6)
    #expect(Set(lines.map(\.count)).count == 2, "all but the step's line are as wide: \(text)")
    #expect(lines[2].hasPrefix("session-create        500  "))
    #expect(lines[4].hasPrefix("  CreatePurchase"))
    #expect(lines[5].hasSuffix("–              –"))
    let coloured = try ReportTable(reports).text(TextStyle(usesColour: true))
    #expect(coloured.contains("\u{1B}[31m7\u{1B}[0m"))
  }

  @Test func tableRefusesWhatIsNoReport() throws {
    #expect(throws: ReportError.self) { try ReportTable([("f", .members([:]))]) }
    #expect(throws: ReportError.self) {
      try ReportTable([("f", .members(["schema": .string("onside-load/99")]))])
    }
  }
}
