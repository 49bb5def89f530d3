extension CallFigures {
  /// - Parameter seconds: how long was measured.
  func json(seconds: Double) -> JSONValue {
    .members([
      "sent": .integer(sent),
      "ok": .integer(ok),
      "ok_late": .integer(okLate),
      "ok_outside_window": .integer(okOutside),
      "failed": .integer(failed),
      "unanswered": .integer(unanswered),
      "ok_per_second": .decimal(seconds > 0 ? Double(ok - okLate) / seconds : 0, places: 1),
      "latency_us": latency.summaryJSON,
      "latency_histogram": latency.json,
      "latency_with_errors_us": latencyWithErrors.summaryJSON,
      "latency_with_errors_histogram": latencyWithErrors.json,
      "request_bytes": meanBytes(requestBytes),
      "request_bytes_sum": .integer(requestBytes),
      "response_bytes": meanBytes(responseBytes),
      "response_bytes_sum": .integer(responseBytes),
      "failures": .array(failures.entries.map(\.json)),
    ])
  }

  /// Of a message; null for scenarios that don't count them.
  private func meanBytes(_ sum: UInt64) -> JSONValue {
    let answers = ok + okOutside
    return .decimal(sum > 0 && answers > 0 ? Double(sum) / Double(answers) : nil, places: 1)
  }

  init(_ reader: MemberReader) throws(ReportFormatError) {
    self.init()
    sent = try reader["sent"].integer()
    ok = try reader["ok"].integer()
    okLate = try reader["ok_late"].optionalInteger() ?? 0
    okOutside = try reader["ok_outside_window"].integer()
    failed = try reader["failed"].integer()
    unanswered = try reader["unanswered"].integer()
    latency = try LatencyHistogram(reader["latency_histogram"])
    latencyWithErrors = try LatencyHistogram(reader["latency_with_errors_histogram"])
    requestBytes = try reader["request_bytes_sum"].integer()
    responseBytes = try reader["response_bytes_sum"].integer()
    let entries = try reader["failures"].list(FailureTally.Entry.init)
    guard let tally = FailureTally(entries: entries) else {
      throw reader["failures"].failure(
        "a kind comes twice, or there are more than \(FailureTally.mostKinds + 1)")
    }
    failures = tally
  }
}

extension FailureTally.Entry {
  var json: JSONValue {
    .members([
      "phase": .string(kind.phase.rawValue),
      "status": .string(kind.status),
      "reason": kind.reason.isEmpty ? .null : .string(kind.reason),
      "count": .integer(count),
      "first_seconds": .decimal(Double(first) / 1e9, places: 9),
      "last_seconds": .decimal(Double(last) / 1e9, places: 9),
      "samples": .array(samples.map { .string($0) }),
    ])
  }

  init(_ reader: MemberReader) throws(ReportFormatError) {
    let reason = try reader["reason"].ifPresent { member throws(ReportFormatError) in
      try member.string()
    }
    self.init(
      kind: .init(
        phase: try reader["phase"].word(), status: try reader["status"].string(),
        reason: reason ?? ""),
      count: try reader["count"].integer(from: 1),
      samples: try reader["samples"].list { element throws(ReportFormatError) in
        try element.string()
      },
      first: try reader["first_seconds"].scaled(1e9), last: try reader["last_seconds"].scaled(1e9))
  }
}
