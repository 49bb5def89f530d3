extension LoadReport {
  /// The report in its versioned JSON form. `ok_per_second` and `latency_us` also stand inside
  /// `calls`; times are in microseconds where the name says so.
  public var json: JSONValue {
    let latency = LoadReport.json(of: calls.latency)
    return .members([
      "schema": .string(LoadReport.schema),
      "scenario": .string(scenario),
      "verdict": .string(verdict.rawValue),
      "ended_by": .string(endingName),
      "ended_because": .text(endingReason),
      "started_at": .string(utc(milliseconds: startedAt)),
      "command_line": .array(commandLine.map { .string($0) }),
      "machine": machineJSON,
      "load": .object(load),
      "measured_seconds": .decimal(seconds, places: 6),
      "ok_per_second": .decimal(okPerSecond, places: 1),
      "latency_us": latency,
      "calls": .members([
        "sent": .integer(calls.sent),
        "ok": .integer(calls.ok),
        "ok_outside_window": .integer(calls.okOutside),
        "failed": .integer(calls.failed),
        "unanswered": .integer(calls.unanswered),
        "ok_per_second": .decimal(okPerSecond, places: 1),
        "latency_us": latency,
        "request_bytes": meanBytes(calls.requestBytes),
        "response_bytes": meanBytes(calls.responseBytes),
        "failures": .array(calls.failures.entries.map(LoadReport.json(of:))),
      ]),
      "steps": .array(
        steps.map { step in
          .members([
            "name": .string(step.name),
            "ok": .integer(step.latency.count),
            "latency_us": LoadReport.json(of: step.latency),
          ])
        }),
      "connections": connectionsJSON,
      "client": processJSON(client),
      "server": server.map(processJSON) ?? .null,
      "checks": .array(checks.map(LoadReport.json(of:))),
      "series": .array(series.map(LoadReport.json(of:))),
    ])
  }

  /// Of a message; null for scenarios that don't count them.
  private func meanBytes(_ sum: UInt64) -> JSONValue {
    let answers = calls.ok + calls.okOutside
    return .decimal(sum > 0 && answers > 0 ? Double(sum) / Double(answers) : nil, places: 1)
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

  private var machineJSON: JSONValue {
    .members([
      "host": .string(machine.hostName),
      "kernel": .string(machine.kernel),
      "cpu": .string(machine.cpuModel),
      "cores": .integer(machine.cores),
      "usable_cores": .integer(machine.usableCores),
      "shares_host_with_server": .boolean(sharesHost),
    ])
  }

  private var connectionsJSON: JSONValue {
    .members([
      "opened": .integer(connections.opened),
      "failed": .integer(connections.failed),
      "lost": .integer(connections.lost),
      "tls_full": .integer(connections.fullHandshakes),
      "tls_resumed": .integer(connections.resumedHandshakes),
      "security": .text(connections.security),
    ])
  }

  private func processJSON(_ process: ProcessFigures) -> JSONValue {
    let cpu = Double(process.cpuNanoseconds)
    var members: [JSONValue.Member] = [
      .init("pid", .integer(process.pid)),
      .init("cpu_us_per_call", .decimal(calls.ok > 0 ? cpu / 1e3 / Double(calls.ok) : nil)),
      .init("cpu_seconds", .decimal(cpu / 1e9, places: 6)),
      .init("cores_used", .decimal(seconds > 0 ? cpu / 1e9 / seconds : nil)),
      .init("rss_bytes", process.residentBytes.map { .integer($0) } ?? .null),
      .init("peak_rss_bytes", process.peakResidentBytes.map { .integer($0) } ?? .null),
    ]
    if let bytes = process.residentBytesPerConnection {
      members.append(.init("rss_bytes_per_connection", .decimal(bytes, places: 0)))
    }
    if let cpu = process.idleCPUNanoseconds {
      members.append(.init("idle_cpu_ms", .decimal(Double(cpu) / 1e6)))
    }
    return .object(members)
  }

  static func json(of latency: LatencyHistogram) -> JSONValue {
    func microseconds(_ value: UInt64?) -> JSONValue {
      .decimal(value.map { Double($0) / 1e3 })
    }
    let isEmpty = latency.count == 0
    return .members([
      "min": microseconds(isEmpty ? nil : latency.min),
      "mean": .decimal(latency.mean.map { $0 / 1e3 }),
      "p50": microseconds(latency.percentile(0.5)),
      "p90": microseconds(latency.percentile(0.9)),
      "p99": microseconds(latency.percentile(0.99)),
      "p99_9": microseconds(latency.percentile(0.999)),
      "max": microseconds(isEmpty ? nil : latency.max),
    ])
  }

  private static func json(of failure: FailureTally.Entry) -> JSONValue {
    .members([
      "phase": .string(failure.kind.phase.rawValue),
      "status": .string(failure.kind.status),
      "reason": failure.kind.reason.isEmpty ? .null : .string(failure.kind.reason),
      "count": .integer(failure.count),
      "samples": .array(failure.samples.map { .string($0) }),
    ])
  }

  private static func json(of check: CheckResult) -> JSONValue {
    .members([
      "name": .string(check.name),
      "title": .string(check.title),
      "checked": .integer(check.checked),
      "violations": .integer(check.violations),
      "sample": .text(check.sample),
    ])
  }

  private static func json(of second: SecondFigures) -> JSONValue {
    .members([
      "second": .decimal(second.second),
      "measured": .boolean(second.isMeasured),
      "ok": .integer(second.ok),
      "failed": .integer(second.failed),
      "p50_us": .decimal(second.p50.map { Double($0) / 1e3 }),
      "p99_us": .decimal(second.p99.map { Double($0) / 1e3 }),
      "client_cores": .decimal(second.clientCores),
      "server_cores": .decimal(second.serverCores),
      "server_rss_bytes": second.serverResidentBytes.map { .integer($0) } ?? .null,
    ])
  }
}
