import Glibc

extension ReportPage {
  var latencyNote: Markup? {
    if report.calls.latency.count == 0 {
      return "No call was answered rightly: there is no latency."
    }
    return isClosedLoop
      ? "From the begin of each call to the end of its answer; right answers in the measured time."
      : """
      From the <em>planned</em> start of each call to the end of its answer, so that waiting for a \
      late start counts; right answers in the measured time.
      """
  }

  var latencyCharts: Markup {
    guard report.calls.latency.count > 0 else { return " " }
    return """
      <div class="charts wide">
      \(latencyOverTime)\(percentileCurve)</div>
      \(latencyTable)
      """
  }

  private var latencyOverTime: Markup {
    let figures: [(String, Int, Chart.Form, (SecondFigures) -> UInt64?)] = [
      ("max", 4, .dotted, { $0.max }), ("p99", 3, .line, { $0.p99 }),
      ("p90", 1, .line, { $0.p90 }), ("p50", 2, .line, { $0.p50 }),
    ]
    let lines = figures.map { name, colour, form, figure in
      line(name, colour, form, Wording.time) { figure($0).map { Double($0) / 1e3 } }
    }
    let values = lines.flatMap(\.values).compactMap { $0 }.filter { $0 > 0 }
    guard let low = values.min(), let high = values.max() else { return "" }
    return timeChart(
      "latency", "Latency over time", lines,
      .logarithmic(low, high) { Wording.tick(microseconds: $0) },
      summary: "p50 from \(extent(lines[3])), p99 from \(extent(lines[1])); logarithmic scale.")
  }

  private func extent(_ line: Chart.Line) -> String {
    let values = line.values.compactMap { $0 }
    guard let low = values.min(), let high = values.max() else { return "none" }
    return "\(line.wording(low)) to \(line.wording(high))"
  }

  /// Latency at each share of the calls, on an axis that gives each further nine the same room.
  private var percentileCurve: Markup {
    let shown = curves.filter { $0.latency.count > 0 }
    let most = shown.map(\.latency.count).max() ?? 1
    let nines = max(2, min(7, Int(log10(Double(most)).rounded(.up))))
    let steps = (0...(nines * 20)).map { Double($0) / 20 }
    let lines = shown.map { name, colour, form, latency in
      Chart.Line(
        name: name, colour: colour, form: form,
        values: steps.map { step in
          // Beyond the last value a curve would only repeat it.
          guard pow(10, step) <= Double(latency.count) * 1.13 else { return nil }
          return latency.percentile(1 - pow(10, -step)).map { max(Double($0) / 1e3, 0.001) }
        }, wording: { Wording.time(microseconds: $0) })
    }
    let values = lines.flatMap(\.values).compactMap { $0 }
    guard let low = values.min(), let high = values.max() else { return "" }
    let chart = Chart(
      name: "percentiles", title: "Latency by percentile",
      summary: "How long the given share of the calls took at most; logarithmic scales.",
      horizontal: .nines(nines),
      vertical: .logarithmic(low, high) { Wording.tick(microseconds: $0) },
      places: steps.map { ($0, "p\(rounded((1 - pow(10, -$0)) * 100, places: 5))") }, lines: lines)
    return chart.markup
  }

  private var curves: [(name: String, colour: Int, form: Chart.Form, latency: LatencyHistogram)] {
    var curves: [(name: String, colour: Int, form: Chart.Form, latency: LatencyHistogram)] = []
    if report.calls.failed > 0 {
      curves.append(("with errors", 4, .dotted, report.calls.latencyWithErrors))
    }
    curves.append((isClosedLoop ? "call" : "from plan", 1, .line, report.calls.latency))
    let more: [(CallPhase, Int, Chart.Form)] = [(.rpc, 3, .line), (.service, 5, .dashed)]
    for (phase, colour, form) in more {
      if let figures = report.phases.first(where: { $0.phase == phase }) {
        curves.append((phase.title, colour, form, figures.latency))
      }
    }
    return curves
  }

  private var latencyTable: Markup {
    var table = MarkupTable(
      "Latency", ["", "count", "mean"] + ReportPage.percentileTitles)
    var rows = [("right answers", report.calls.latency)]
    if report.calls.failed > 0 { rows.append(("with errors", report.calls.latencyWithErrors)) }
    for (name, latency) in rows where latency.count > 0 {
      table.rows.append(
        ["\(name)", count(Int(latency.count)), time(latency.mean.map { UInt64($0) })]
          + percentileCells(latency))
    }
    return table.markup
  }

  var phaseNote: Markup? {
    report.phases.isEmpty
      ? nil
      : """
      The bar reaches from p50 to p99 of a phase, its mark is p90, on one logarithmic scale for \
      all. RPC without the server's own service time is network and queues.
      """
  }

  var phaseTable: Markup {
    let phases = report.phases.filter { $0.latency.count > 0 }
    guard !phases.isEmpty else { return "" }
    let times = phases.flatMap { [$0.latency.percentile(0.5), $0.latency.percentile(0.99)] }
      .compactMap { $0 }.map { max(1, Double($0)) }
    let scale = Axis.logarithmic(from: times.min() ?? 1, to: times.max() ?? 1)
    var table = MarkupTable("Phases", ["phase", "count"] + ReportPage.percentileTitles + [""])
    table.rows = phases.map { phase in
      ["\(phase.phase.title)", count(Int(phase.latency.count))]
        + percentileCells(phase.latency) + [bar(phase.latency, scale)]
    }
    return table.markup
  }

  private func bar(_ latency: LatencyHistogram, _ scale: Axis) -> Markup {
    let places = [0.5, 0.9, 0.99].map { share in
      scale.place(of: max(1, Double(latency.percentile(share) ?? 1))) * 100
    }
    let start = rounded(places[0], places: 1)
    let width = rounded(max(1, places[2] - places[0]), places: 1)
    return """
      <span class="range" aria-hidden="true"><i style="left:\(start)%;width:\(width)%"></i>\
      <b style="left:\(rounded(places[1], places: 1))%"></b></span>
      """
  }
}
