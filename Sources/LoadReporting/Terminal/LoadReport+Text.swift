extension LoadReport {
  /// The report as a few lines for people.
  public func text(_ style: TextStyle) -> String {
    var rows = [
      Row(
        "calls",
        "\(Wording.grouped(calls.ok)) ok"
          + " · \(errorText(style)) · \(Wording.grouped(Int(okPerSecond.rounded())))/s")
    ]
    if let text = deliveryText { rows.append(Row("delivered", text)) }
    rows.append(Row("latency", latencyText(calls.latency)))
    for phase in phases where phase.phase != .total && phase.latency.count > 0 {
      rows.append(Row("  \(phase.phase.title)", latencyText(phase.latency)))
    }
    for step in steps {
      rows.append(Row("  \(step.name)", latencyText(step.latency)))
    }
    if let server { rows.append(Row("server", processText(server))) }
    rows.append(Row("client", processText(client)))
    rows.append(Row("connections", connectionsText))
    if let text = costText { rows.append(Row("per call", text)) }
    rows += checks.map { Row("check", checkText($0, style)) }
    rows += thresholds.map { Row("threshold", thresholdText($0, style)) }
    rows += calls.failures.entries.flatMap { failureRows($0, style) }
    if case .aborted(let reason) = ending {
      rows.append(Row("aborted", style.apply(.red, to: printable(reason))))
    }
    rows += warnings(style)
    let width = rows.reduce(0) { max($0, $1.name.count) } + 2
    let lines = rows.map { row in
      "  " + row.name + String(repeating: " ", count: width - row.name.count) + row.text
    }
    return ([headline(style)] + lines).joined(separator: "\n") + "\n"
  }

  /// A line: what it is about, and what is said of it.
  private struct Row {
    var name: String
    var text: String

    init(_ name: String, _ text: String) {
      self.name = name
      self.text = text
    }
  }

  /// What has to be known beside the figures.
  private func warnings(_ style: TextStyle) -> [Row] {
    var rows = saturation.map { Row("saturated", style.apply(.red, to: printable($0))) }
    rows += agents.filter { $0.state == .lost }.map { agent in
      let reason = agent.reason.map { ": \(printable($0))" } ?? ""
      return Row("agent lost", style.apply(.red, to: printable(agent.name) + reason))
    }
    let sharing = "shares the host with the server"
    if sharesHost, !remarks.contains(where: { $0.contains("shares the host") }) {
      rows.append(Row("remark", sharing))
    }
    return rows + remarks.map { Row("remark", printable($0)) }
  }

  /// Of a plan; a closed loop has none.
  private var deliveryText: String? {
    guard delivery.planned > 0, load.first(where: { $0.name == "model" })?.value.string != "closed"
    else { return nil }
    var parts = [
      "\(Wording.percent(delivery.delivered)) of \(Wording.grouped(delivery.planned)) planned"
    ]
    if delivery.skipped > 0 { parts.append("\(Wording.grouped(delivery.skipped)) skipped") }
    if delivery.unsent > 0 { parts.append("\(Wording.grouped(delivery.unsent)) unsent") }
    parts.append("\(Wording.grouped(delivery.late)) late")
    if let lag = delivery.lag.percentile(0.99) {
      parts.append("lag p99 \(Wording.time(microseconds: Double(lag) / 1e3))")
    }
    parts.append("at most \(Wording.grouped(delivery.inFlightMax)) in flight")
    return parts.joined(separator: " · ")
  }

  private func thresholdText(_ threshold: ThresholdResult, _ style: TextStyle) -> String {
    let actual = threshold.actual ?? "no such figure"
    return "\(printable(threshold.text)): \(actual), "
      + style.apply(
        threshold.isCrossed ? .red : .green, to: threshold.isCrossed ? "crossed" : "kept")
  }

  private func headline(_ style: TextStyle) -> String {
    let name = style.apply(.bold, to: scenario)
    let outcome =
      switch verdict {
      case .passed: style.apply(.green, to: "passed")
      case .failed: style.apply(.red, to: "failed")
      case .thresholdCrossed: style.apply(.red, to: "threshold crossed")
      case .checksViolated: style.apply(.red, to: "checks violated")
      case .saturated: style.apply(.red, to: "generator saturated")
      case .interrupted: "interrupted"
      }
    return "\(name)  \(Wording.fixed(seconds, places: 1)) s measured, \(outcome)"
  }

  private func errorText(_ style: TextStyle) -> String {
    let errors = calls.failed + calls.unanswered
    return style.apply(errors > 0 ? .red : .green, to: "\(Wording.grouped(errors)) failed")
  }

  private func latencyText(_ latency: LatencyHistogram) -> String {
    guard latency.count > 0 else { return "none" }
    let shares = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999), ("max", 1)]
    return shares.map { name, share in
      let value = latency.percentile(share).map { Double($0) / 1e3 }
      return "\(name) \(Wording.time(microseconds: value))"
    }.joined(separator: " · ")
  }

  private func processText(_ process: ProcessFigures) -> String {
    let cpu = Double(process.cpuNanoseconds)
    var parts = calls.ok > 0 ? ["\(Wording.digits(cpu / 1e3 / Double(calls.ok))) µs CPU/call"] : []
    if seconds > 0 { parts.append("\(Wording.fixed(cpu / 1e9 / seconds, places: 2)) cores") }
    if let resident = process.residentBytes, let peak = process.peakResidentBytes {
      parts.append(
        "\(Wording.memory(bytes: Double(resident))) (peak \(Wording.memory(bytes: Double(peak))))")
    }
    return parts.joined(separator: " · ")
  }

  private var connectionsText: String {
    var parts = [
      "\(Wording.grouped(connections.opened)) opened",
      "\(Wording.grouped(connections.fullHandshakes)) full",
      "\(Wording.grouped(connections.resumedHandshakes)) resumed",
    ]
    if connections.failed > 0 { parts.append("\(Wording.grouped(connections.failed)) failed") }
    if connections.lost > 0 { parts.append("\(Wording.grouped(connections.lost)) lost") }
    if let security = connections.security { parts.append(security) }
    return parts.joined(separator: " · ")
  }

  /// What a right answer costs beside CPU time; nil: nothing of it is known.
  private var costText: String? {
    var parts: [String] = []
    if let sent = bytesSentPerCall, let received = bytesReceivedPerCall {
      parts.append(
        "\(Wording.digits(sent)) B sent, \(Wording.digits(received)) B received on the wire")
    }
    if let syncs = syncsPerCall { parts.append("\(rounded(syncs, places: 4)) syncs") }
    if let switches = contextSwitchesPerCall {
      parts.append("\(rounded(switches, places: 3)) context switches")
    }
    if let bytes = server?.residentBytesPerConnection {
      parts.append("\(rounded(bytes / 1024, places: 1)) KiB of memory per idle connection")
    }
    return parts.isEmpty ? nil : parts.joined(separator: " · ")
  }

  private func checkText(_ check: CheckResult, _ style: TextStyle) -> String {
    let text = "\(check.title): \(Wording.grouped(check.checked)) checked, "
    guard check.violations > 0 else { return text + style.apply(.green, to: "all right") }
    let sample = check.sample.map { " (\(printable($0)))" } ?? ""
    return text + style.apply(.red, to: "\(Wording.grouped(check.violations)) wrong") + sample
  }

  private func failureRows(_ failure: FailureTally.Entry, _ style: TextStyle) -> [Row] {
    let reason = failure.kind.reason.isEmpty ? "" : " \(printable(failure.kind.reason))"
    let text =
      "\(Wording.grouped(failure.count)) × \(failure.kind.phase.rawValue)"
      + " \(printable(failure.kind.status))\(reason)"
    return [Row("failed", style.apply(.red, to: text))]
      + failure.samples.map { Row("", printable($0)) }
  }
}

/// What a server sent, without what could drive the terminal.
package func printable(_ text: String) -> String {
  var shown = ""
  for scalar in text.unicodeScalars {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: shown += "\u{FFFD}"
    default: shown.unicodeScalars.append(scalar)
    }
  }
  return shown
}
