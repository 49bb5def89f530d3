import Glibc

extension ReportComparison {
  /// The comparison as one self-contained HTML file.
  public var page: String {
    let parts: [Markup] = [
      header, alert, PageFrame.section("Figures", table, note: ComparisonPage.method),
      PageFrame.section("Charts", ComparisonPage(comparison: self).charts),
      PageFrame.section("Runs", runs),
    ]
    return PageFrame(
      title: "\(before.scenario) – two runs compared", content: "\(parts)"
    ).text
  }

  private var header: Markup {
    let look =
      switch verdict {
      case .better: "good"
      case .worse: "bad"
      case .noDifference: "good"
      case .mixed, .unclear: "odd"
      }
    let word =
      switch verdict {
      case .better: "✓ better"
      case .worse: "✗ worse"
      case .noDifference: "= no difference"
      case .mixed: "≠ mixed"
      case .unclear: "? can't tell"
      }
    let detail: Markup = verdict == .noDifference ? "" : "<p>\(sentence)</p>\n"
    return """
      <header>
      <div class="top"><h1>\(before.scenario)</h1><span class="badge \(look)">\(word)</span></div>
      <p class="sub">Two runs compared · \(utc(milliseconds: before.startedAt)) and \
      \(utc(milliseconds: after.startedAt))</p>
      \(detail)</header>

      """
  }

  private var alert: Markup {
    guard !setUp.isEmpty else { return "" }
    let lines = setUp.map { difference -> Markup in
      "<br>\(difference.name): \(difference.before) → \(difference.after)"
    }
    return """
      <p class="alert" role="note"><strong>The runs were not made alike.</strong> What differs \
      below may come from this:\(lines)</p>

      """
  }

  private var table: Markup {
    var table = MarkupTable("Figures", ["", "before", "after", "change", "verdict"])
    table.rows = figures.map { figure in
      let look =
        switch figure.verdict {
        case .better: "good"
        case .worse: "bad"
        case .different: ""
        case .noDifference, .unclear: "soft"
        }
      return [
        "\(figure.name)", "\(ReportComparison.shown(figure.before, figure.unit))",
        "\(ReportComparison.shown(figure.after, figure.unit))", "\(figure.changeText)",
        "<span class=\"\(look)\">\(figure.verdict.title)</span>",
      ]
    }
    return table.markup
  }

  private var runs: Markup {
    var table = MarkupTable("Runs", ["", "before", "after"], leftColumns: 3)
    func row(_ name: Markup, _ value: (LoadReport) -> Markup) {
      table.rows.append([name, value(before), value(after)])
    }
    row("started") { "\(utc(milliseconds: $0.startedAt))" }
    row("measured") { "\(Wording.fixed($0.seconds, places: 1)) s" }
    row("generator") { "\($0.tool)" }
    row("server") { "\($0.serverFacts.build ?? Wording.nothing)" }
    row("host") { "\($0.machine.hostName)" }
    row("verdict") { "\($0.verdict.rawValue)" }
    row("command line") { report in
      let command = report.commandLine.map(ReportPage.quoted).joined(separator: " ")
      return "<code class=\"wrap\">\(command)</code>"
    }
    return table.markup
  }
}

/// The charts of a comparison: both runs in one.
struct ComparisonPage {
  let comparison: ReportComparison

  static let method: Markup = """
    A difference counts if the seconds of the two runs differ by more than they do inside each run \
    (Mann–Whitney, p &lt; 0.001, widened where neighbouring seconds resemble each other) and if it \
    is 1% at least. Tails and phases are judged by how many calls there were. Whether another pair \
    of runs would say the same, only another pair of runs can tell.
    """

  var charts: Markup {
    "<div class=\"charts two\">\n\(percentiles)\(p50)\(p99)\(rate)\(cores)</div>\n"
  }

  private var p50: Markup {
    overTime("p50", "p50 over time", isLogarithmic: true, { Wording.time(microseconds: $0) }) {
      $0.p50.map { Double($0) / 1e3 }
    }
  }

  private var p99: Markup {
    overTime("p99", "p99 over time", isLogarithmic: true, { Wording.time(microseconds: $0) }) {
      $0.p99.map { Double($0) / 1e3 }
    }
  }

  private var rate: Markup {
    overTime("rate", "Right answers per second", { "\(Wording.grouped(Int($0)))/s" }) {
      Double($0.ok)
    }
  }

  private var cores: Markup {
    overTime("cores", "Server CPU", { "\(Wording.fixed($0, places: 2)) cores" }) { $0.serverCores }
  }

  private func overTime(
    _ name: String, _ title: String, isLogarithmic: Bool = false,
    _ wording: @escaping (Double) -> String, _ figure: (SecondFigures) -> Double?
  ) -> Markup {
    let series = [comparison.before, comparison.after].map { report in
      ReducedSeries(report.series.filter(\.isMeasured)).points.map(figure)
    }
    let values = series.flatMap { $0 }.compactMap { $0 }.filter { $0 > 0 || !isLogarithmic }
    guard let low = values.min(), let high = values.max(), high > 0 else { return "" }
    let count = series.map(\.count).max() ?? 0
    let width = ReducedSeries(comparison.after.series.filter(\.isMeasured)).width
    let vertical: Axis =
      isLogarithmic
      ? .logarithmic(low, high) { Wording.tick(microseconds: $0) }
      : .linear(to: high) { Wording.compact($0) }
    let padded = series.map { $0 + [Double?](repeating: nil, count: count - $0.count) }
    return Chart(
      name: name, title: title,
      summary: "Both runs, from the begin of the measured time.",
      horizontal: .seconds(to: Double(count * width)), vertical: vertical,
      places: (0..<count).map { (Double(($0 + 1) * width), "\(($0 + 1) * width) s") },
      lines: lines(padded, wording)
    ).markup
  }

  private func lines(_ values: [[Double?]], _ wording: @escaping (Double) -> String) -> [Chart.Line]
  {
    [
      .init(name: "before", colour: 1, form: .dashed, values: values[0], wording: wording),
      .init(name: "after", colour: 3, values: values[1], wording: wording),
    ]
  }

  private var percentiles: Markup {
    let latencies = [comparison.before.calls.latency, comparison.after.calls.latency]
    guard latencies.allSatisfy({ $0.count > 0 }) else { return "" }
    let most = latencies.map(\.count).max() ?? 1
    let nines = max(2, min(7, Int(log10(Double(most)).rounded(.up))))
    let steps = (0...(nines * 20)).map { Double($0) / 20 }
    let values = latencies.map { latency in
      steps.map { step -> Double? in
        guard pow(10, step) <= Double(latency.count) * 1.13 else { return nil }
        return latency.percentile(1 - pow(10, -step)).map { max(Double($0) / 1e3, 0.001) }
      }
    }
    let all = values.flatMap { $0 }.compactMap { $0 }
    return Chart(
      name: "percentiles", title: "Latency by percentile",
      summary: "How long the given share of the calls took at most, in both runs.",
      horizontal: .nines(nines),
      vertical: .logarithmic(all.min() ?? 1, all.max() ?? 1) { Wording.tick(microseconds: $0) },
      places: steps.map { ($0, "p\(rounded((1 - pow(10, -$0)) * 100, places: 5))") },
      lines: lines(values) { Wording.time(microseconds: $0) }
    ).markup
  }
}
