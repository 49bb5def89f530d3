import LoadReporting

/// What came of the shares of all agents, and the one report that is made of it.
struct AgentsResult: Sendable {
  /// What is known of one agent.
  struct Part: Sendable {
    var name: String
    var report: LoadReport?

    /// What it told while it was there.
    var told = ToldTotals()

    /// Nil: it wasn't lost.
    var lostBecause: String?

    var samples: [String: FingerprintSample] = [:]

    /// What it said that it runs on, before the load; nil: it said nothing.
    var machine: Machine?
  }

  var parts: [Part]
  var series: [SecondFigures]
  var isInterrupted = false
  var toleratesLostAgents = false

  /// How far apart the agents may have begun, in nanoseconds.
  var clockUncertainty: UInt64 = 0

  /// The report of all together: histograms and counters are added up, so that they are those of
  /// all calls of all agents.
  ///
  /// - Parameter head: a report without figures that says what the run was.
  func report(_ head: LoadReport) -> LoadReport {
    var report = head
    let reports = parts.compactMap { part in part.report ?? part.partialReport(head) }
    for other in reports { report.add(other) }
    report.seconds = reports.map(\.seconds).max() ?? 0
    report.series = series
    report.ending = ending(reports)
    report.agents = parts.map(figures)
    report.toleratesLostAgents = toleratesLostAgents
    report.checks += acrossAgents()
    for part in parts {
      if let reason = part.lostBecause {
        report.remarks.append("LOST: \(part.name) after \(part.told.seconds) s: \(reason)")
      }
      report.saturation += (part.report?.saturation ?? []).map { "\(part.name): \($0)" }
    }
    report.remarks.append(
      "\(parts.count) agents; they began together to within"
        + " \(Wording.time(microseconds: Double(spread) / 1e3))")
    return report
  }

  /// The starts by the agents' own clocks, and what the clocks may differ by.
  private var spread: UInt64 {
    let lags = parts.compactMap { $0.report?.agents.first?.startLag }
    let difference = (lags.max() ?? 0) - (lags.min() ?? 0)
    return UInt64(max(0, difference)) + 2 * clockUncertainty
  }

  private func ending(_ reports: [LoadReport]) -> LoadReport.Ending {
    if isInterrupted { return .interrupted }
    let endings = parts.compactMap { $0.report?.ending }
    for ending in endings {
      if case .aborted = ending { return ending }
    }
    return endings.first ?? .aborted("all agents were lost")
  }

  private func figures(_ part: Part) -> AgentFigures {
    let own = part.report?.agents.first
    var figures =
      own
      ?? AgentFigures(
        name: "",
        machine: part.machine
          ?? Machine(hostName: "", kernel: "", cpuModel: "", usableCores: 0, cores: 0),
        state: .lost, startLag: 0, load: part.told.load,
        process: ProcessFigures(pid: 0, cpuNanoseconds: part.told.cpuNanoseconds))
    figures.name = part.name
    figures.state = part.lostBecause == nil ? .finished : .lost
    figures.reason = part.lostBecause.map { "after \(part.told.seconds) s: \($0)" }
    return figures
  }

  /// What has to be different everywhere was different on different agents too.
  private func acrossAgents() -> [CheckResult] {
    let names = Set(parts.flatMap(\.samples.keys)).sorted()
    return names.compactMap { name in
      let samples = parts.compactMap { $0.samples[name] }
      return samples.count > 1 ? FingerprintSample.check(name, samples) : nil
    }
  }
}

extension AgentsResult.Part {
  /// A lost agent's report: what it had told up to its last second.
  func partialReport(_ head: LoadReport) -> LoadReport? {
    guard told.seconds > 0 else { return nil }
    var report = head
    report.calls = told.calls
    report.delivery = told.load
    report.connections.opened = told.connectionsOpened
    report.client.cpuNanoseconds = told.cpuNanoseconds
    report.seconds = Double(told.measuredSeconds)
    return report
  }
}
