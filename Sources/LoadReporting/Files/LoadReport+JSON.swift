extension LoadReport {
  /// The report in its versioned JSON form, which Docs/load-report-format.md describes: all that
  /// ``init(json:)`` reads, and beside it what is computed from that.
  public var json: JSONValue {
    .members([
      "schema": .string(LoadReport.schema),
      "scenario": .string(scenario),
      "verdict": .string(verdict.rawValue),
      "ended_by": .string(endingName),
      "ended_because": .text(endingReason),
      "started_at": .string(utc(milliseconds: startedAt)),
      "started_at_ms": .integer(startedAt),
      "tool": .string(tool),
      "command_line": .array(commandLine.map { .string($0) }),
      "machine": .object(
        machine.members + [.init("shares_host_with_server", .boolean(sharesHost))]),
      "server_facts": serverFacts.json,
      "load": .object(load),
      "measured_seconds": .decimal(seconds, places: 9),
      "ok_per_second": .decimal(okPerSecond, places: 1),
      "latency_us": calls.latency.summaryJSON,
      "delivery": delivery.json,
      "calls": calls.json(seconds: seconds),
      "scenarios": .array(scenarios.map { $0.json(seconds: seconds) }),
      "phases": .array(phases.map(\.json)),
      "steps": .array(steps.map(\.json)),
      "connections": connections.json,
      "client": client.json(ok: calls.ok, seconds: seconds),
      "server": server?.json(ok: calls.ok, seconds: seconds) ?? .null,
      "efficiency": efficiencyJSON,
      "checks": .array(checks.map(\.json)),
      "thresholds": .array(thresholds.map(\.json)),
      "saturation": .array(saturation.map { .string($0) }),
      "remarks": .array(remarks.map { .string($0) }),
      "agents": .array(agents.map { $0.json(seconds: seconds) }),
      "tolerates_lost_agents": .boolean(toleratesLostAgents),
      "series": .array(series.map(\.json)),
    ])
  }

  private var endingName: String {
    switch ending {
    case .duration: "duration"
    case .calls: "calls"
    case .interrupted: "interrupted"
    case .aborted: "aborted"
    }
  }

  private var endingReason: String? {
    if case .aborted(let reason) = ending { reason } else { nil }
  }
}
