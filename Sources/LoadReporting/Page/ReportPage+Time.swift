extension ReportPage {
  /// A figure of each point of the series.
  func line(
    _ name: String, _ colour: Int, _ form: Chart.Form = .line,
    _ wording: @escaping (Double) -> String, _ figure: (SecondFigures) -> Double?
  ) -> Chart.Line {
    Chart.Line(
      name: name, colour: colour, form: form, values: series.points.map(figure), wording: wording)
  }

  func timeChart(
    _ name: String, _ title: String, _ lines: [Chart.Line], _ vertical: Axis, summary: String
  ) -> Markup {
    let end = series.points.last?.second ?? 1
    var chart = Chart(
      name: name, title: title, summary: summary, horizontal: .seconds(to: end),
      vertical: vertical,
      places: series.points.map { point in
        (
          point.second,
          "\(rounded(point.second, places: 1)) s\(point.isMeasured ? "" : ", warm-up")"
        )
      }, lines: lines)
    chart.shadedTo = series.points.last { !$0.isMeasured }?.second
    return chart.markup
  }

  private func linear(
    _ name: String, _ title: String, _ lines: [Chart.Line], tick: (Double) -> String
  ) -> Markup {
    let values = lines.flatMap(\.values).compactMap { $0 }
    guard let largest = values.max(), largest > 0 else { return "" }
    let parts = lines.compactMap { line -> String? in
      let values = line.values.compactMap { $0 }
      guard let low = values.min(), let high = values.max() else { return nil }
      return "\(line.name) \(line.wording(low)) to \(line.wording(high))"
    }
    return timeChart(
      name, title, lines, .linear(to: largest, label: tick),
      summary: parts.joined(separator: "; ") + ".")
  }

  var timeCharts: Markup {
    guard !series.points.isEmpty else { return "" }
    return
      "<div class=\"charts two\">\n\(rate)\(inFlight)\(cores)\(memory)\(newConnections)</div>\n"
  }

  private var rate: Markup {
    func calls(_ value: Double) -> String { "\(Wording.grouped(Int(value)))/s" }
    return linear(
      "rate", "Calls per second",
      [
        line("right", 1, .area, calls) { Double($0.ok) },
        line("planned", 4, .dashed, calls) { $0.planned.map { Double($0) } },
        line("failed", 3, .bars, calls) { $0.failed > 0 ? Double($0.failed) : nil },
        line("skipped", 6, .bars, calls) { $0.skipped > 0 ? Double($0.skipped) : nil },
      ], tick: { Wording.compact($0) })
  }

  private var inFlight: Markup {
    linear(
      "flight", "Calls in flight",
      [line("in flight", 1, .area, { Wording.grouped(Int($0)) }) { Double($0.inFlight) }],
      tick: { Wording.compact($0) })
  }

  private var cores: Markup {
    func cores(_ value: Double) -> String { "\(Wording.fixed(value, places: 2)) cores" }
    return linear(
      "cores", "CPU",
      [
        line("server", 3, .line, cores) { $0.serverCores },
        line("generator", 1, .dashed, cores) { $0.clientCores },
      ], tick: { rounded($0, places: 2) })
  }

  private var memory: Markup {
    linear(
      "memory", "Server memory",
      [
        line("resident", 3, .area, { "\(Wording.fixed($0, places: 1)) MiB" }) {
          $0.serverResidentBytes.map { Double($0) / 1_048_576 }
        }
      ], tick: { "\(rounded($0, places: 1)) MiB" })
  }

  private var newConnections: Markup {
    linear(
      "connections", "Connections opened per second",
      [
        line("opened", 5, .bars, { Wording.grouped(Int($0)) }) {
          $0.connectionsOpened > 0 ? Double($0.connectionsOpened) : nil
        }
      ], tick: { Wording.compact($0) })
  }

  /// The same for those who don't see charts, or want the figures.
  var seriesTable: Markup {
    guard !series.points.isEmpty else { return "" }
    var table = MarkupTable(
      "Every second",
      [
        "second", "planned", "right", "failed", "skipped", "in flight", "p50", "p90", "p99", "max",
        "opened", "server cores", "server memory", "generator cores",
      ])
    table.rows = series.points.map { point in
      [
        "\(rounded(point.second, places: 1))\(point.isMeasured ? "" : " warm-up")",
        point.planned.map(count) ?? "–", count(point.ok), count(point.failed),
        count(point.skipped), count(point.inFlight), time(point.p50), time(point.p90),
        time(point.p99), time(point.max), count(point.connectionsOpened),
        "\(point.serverCores.map { Wording.fixed($0, places: 2) } ?? "–")",
        "\(Wording.memory(bytes: point.serverResidentBytes.map { Double($0) }))",
        "\(Wording.fixed(point.clientCores, places: 2))",
      ]
    }
    let title =
      series.width == 1
      ? "All of these figures as a table"
      : "All of these figures as a table, \(series.width) seconds to a line"
    return "<details><summary>\(title)</summary>\(table.markup)</details>\n"
  }
}
