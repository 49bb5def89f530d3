public import LoadReporting

extension CapacityResult {
  /// For people: the answer, how sure it is, and each probe.
  public var text: String {
    var lines = ["\(scenario): \(answer)"]
    lines.append(
      "  criteria       \(criteria.text), at most \(percent(criteria.errors)) failed,"
        + " at least \(percent(criteria.delivered)) delivered")
    if let low = search.highestPassing { lines.append("  highest pass   \(votes(low))") }
    if let high = search.lowestFailing { lines.append("  lowest fail    \(votes(high))") }
    lines.append("  confidence     \(confidence.rawValue): \(reason)")
    for probe in probes { lines.append("  probe          \(probe.text)") }
    return lines.joined(separator: "\n") + "\n"
  }

  private var answer: String {
    if isInterrupted { return "stopped before the end" }
    if capacity == nil, isLimitedByGenerator { return "not known: the generator was the limit" }
    guard let capacity else { return "no rate holds, down to the lowest that was tried" }
    let rate = Wording.grouped(Int(capacity.rounded()))
    if search.lowestFailing == nil { return "\(rate)/s or more: the highest rate tried holds" }
    if isLimitedByGenerator { return "\(rate)/s or more: beyond it the generator was the limit" }
    return "\(rate)/s"
  }

  private var reason: String {
    switch confidence {
    case .sure: "all probes of both rates agreed"
    case .fair: "most probes of both rates agreed"
    case .low: "too few probes of both ends"
    }
  }

  private func votes(_ votes: CapacitySearch.Votes) -> String {
    "\(rounded(votes.rate, places: 3))/s (\(votes.passed) of \(votes.count) probes passed)"
  }

  private func percent(_ share: Double) -> String { "\(rounded(share * 100, places: 3)) %" }

  /// Every figure, for programs.
  public var json: JSONValue {
    .members([
      "schema": .string(CapacityResult.schema),
      "scenario": .string(scenario),
      "interrupted": .boolean(isInterrupted),
      "capacity_per_second": .decimal(capacity),
      "limited_by_generator": .boolean(isLimitedByGenerator),
      "confidence": .string(confidence.rawValue),
      "criteria": .members([
        "share": .decimal(criteria.share, places: 6),
        "latency_us": .decimal(Double(criteria.latency) / 1e3),
        "errors": .decimal(criteria.errors, places: 6),
        "delivered": .decimal(criteria.delivered, places: 6),
      ]),
      "highest_passing": json(search.highestPassing),
      "lowest_failing": json(search.lowestFailing),
      "probes": .array(probes.map(\.json)),
    ])
  }

  private func json(_ votes: CapacitySearch.Votes?) -> JSONValue {
    guard let votes else { return .null }
    return .members([
      "rate": .decimal(votes.rate), "passed": .integer(votes.passed),
      "failed": .integer(votes.failed),
    ])
  }
}

extension CapacityResult.Probe {
  /// One line.
  public var text: String {
    let time = latency.map { "\(rounded(Double($0) / 1e6, places: 2)) ms" } ?? "none"
    let outcome = problems.isEmpty ? "passed" : "failed: " + problems.joined(separator: ", ")
    return
      "\(rounded(rate, places: 3))/s: \(rounded(okPerSecond, places: 1)) ok/s, latency \(time),"
      + " \(outcome)"
  }

  fileprivate var json: JSONValue {
    .members([
      "rate": .decimal(rate), "ok_per_second": .decimal(okPerSecond),
      "latency_us": .decimal(latency.map { Double($0) / 1e3 }),
      "passed": .boolean(problems.isEmpty), "saturated": .boolean(isSaturated),
      "problems": .array(problems.map { .string($0) }),
    ])
  }
}
