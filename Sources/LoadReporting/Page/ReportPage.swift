extension LoadReport {
  /// The report as one self-contained HTML file. It is the same, byte for byte, from a run and from
  /// its JSON form.
  public var page: String {
    let report = normalised
    return PageFrame(
      title: "\(report.scenario) – load report", content: ReportPage(report: report).content
    ).text
  }
}

/// What stands on the page of one run.
struct ReportPage {
  let report: LoadReport
  let series: ReducedSeries

  init(report: LoadReport) {
    self.report = report
    series = ReducedSeries(report.series)
  }

  var content: Markup {
    let parts: [Markup] = [
      header, alerts, tiles,
      PageFrame.section("Verdict", verdictTables),
      PageFrame.section("Load delivery", delivery, note: deliveryNote),
      PageFrame.section("Latency", latencyCharts, note: latencyNote),
      PageFrame.section("Phases", phaseTable, note: phaseNote),
      PageFrame.section("Over time", timeCharts + seriesTable),
      PageFrame.section("Errors", errorTable, note: errorNote),
      PageFrame.section("Scenarios and steps", scenarioTable),
      PageFrame.section("Connections and TLS", connections),
      PageFrame.section("Efficiency", efficiency),
      PageFrame.section("Agents", agentTable),
      PageFrame.section("How it was measured", setUp),
    ]
    return "\(parts)"
  }

  var isClosedLoop: Bool {
    report.load.first { $0.name == "model" }?.value.string == "closed"
  }

  /// `p50` and so on of a histogram, as cells.
  func percentileCells(_ latency: LatencyHistogram) -> [Markup] {
    [0.5, 0.9, 0.99, 0.999, 1].map { share in
      time(latency.percentile(share))
    }
  }

  func time(_ nanoseconds: UInt64?) -> Markup {
    guard let nanoseconds else { return "<span class=\"soft\">none</span>" }
    return "\(Wording.time(microseconds: Double(nanoseconds) / 1e3))"
  }

  func count(_ number: Int) -> Markup { "\(Wording.grouped(number))" }

  static let percentileTitles = ["p50", "p90", "p99", "p99.9", "max"]
}

func + (left: Markup, right: Markup) -> Markup {
  "\(left)\(right)"
}
