/// One table of the results of several runs, from their JSON form.
public struct ReportTable: Sendable {
  private let reports: [JSONValue]

  /// - Throws: ``ReportError`` if a value isn't a report, or of a newer schema.
  public init(_ reports: [(name: String, value: JSONValue)]) throws(ReportError) {
    for (name, value) in reports {
      guard let schema = value["schema"]?.string else {
        throw ReportError("\(name): not a report of onside-load (it has no \"schema\")")
      }
      // What the table shows has the same names in the first version.
      guard schema == LoadReport.schema || schema == "onside-load/1" else {
        throw ReportError("\(name): schema \(schema); this program reads \(LoadReport.schema)")
      }
    }
    self.reports = reports.map(\.value)
  }

  /// The table, with a line for each step of a scenario that has several.
  public func text(_ style: TextStyle) -> String {
    var table = TextTable(head: [
      "scenario", "calls/s", "p50", "p99", "max", "errors", "server CPU/call", "server memory",
    ])
    for report in reports {
      table.rows.append(row(of: report))
      let steps = report["steps"]?.elements ?? []
      for step in steps { table.rows.append(row(ofStep: step, in: report)) }
    }
    return table.text(style)
  }

  private func row(of report: JSONValue) -> [TextTable.Cell] {
    let rate = report["calls", "ok_per_second"]?.double ?? 0
    let errors =
      (report["calls", "failed"]?.double ?? 0) + (report["calls", "unanswered"]?.double ?? 0)
    let perCall = report["server", "cpu_us_per_call"]?.double
    return [
      TextTable.Cell(report["scenario"]?.string ?? "?"),
      TextTable.Cell(Wording.grouped(Int(rate.rounded())), .bold),
      cell(report, "p50"), cell(report, "p99"), cell(report, "max"),
      TextTable.Cell(Wording.grouped(Int(errors)), errors > 0 ? .red : .green),
      TextTable.Cell(perCall.map { "\(Wording.digits($0)) µs" } ?? Wording.nothing),
      TextTable.Cell(Wording.memory(bytes: report["server", "rss_bytes"]?.double)),
    ]
  }

  private func row(ofStep step: JSONValue, in report: JSONValue) -> [TextTable.Cell] {
    let seconds = report["measured_seconds"]?.double ?? 0
    let rate = seconds > 0 ? (step["ok"]?.double ?? 0) / seconds : 0
    let name = step["name"]?.string ?? "?"
    return [
      TextTable.Cell("  \(name)", .dim), TextTable.Cell(Wording.grouped(Int(rate.rounded())), .dim),
      cell(step, "p50", .dim), cell(step, "p99", .dim), cell(step, "max", .dim), "", "", "",
    ]
  }

  private func cell(
    _ figures: JSONValue, _ name: String, _ look: TextStyle.Look = .plain
  ) -> TextTable.Cell {
    TextTable.Cell(Wording.time(microseconds: figures["latency_us", name]?.double), look)
  }
}

/// Why a file can't be shown as a report.
public struct ReportError: Error, Equatable, Sendable, CustomStringConvertible {
  public let description: String

  package init(_ description: String) {
    self.description = description
  }
}
