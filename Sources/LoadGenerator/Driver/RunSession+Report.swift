import LoadReporting

extension RunSession {
  /// Puts together what the lanes have counted.
  func report(
    _ course: Course, end: ProcessMeter.Reading, startedAt: Int64
  ) async -> LoadReport {
    var all = await run.lanes[0].ask { $0.figures }
    for lane in run.lanes.dropFirst() { all.merge(await lane.ask { $0.figures }) }
    var calls = all.calls
    calls.unanswered = calls.sent - calls.ok - calls.okOutside - calls.failed
    // Calls that are counted end with the last answer, a time that is measured with its end.
    let closing = course.closing ?? end
    let last = course.window.countsCalls ? max(all.lastAnswer, course.opening.instant) : nil
    let closed = min(last ?? closing.instant, closing.instant)
    let seconds = Double(closed &- min(closed, course.opening.instant)) / 1e9
    var server = meter.serverFigures(from: course.opening, to: closing)
    server?.residentBytesPerConnection = idle?.bytesPerConnection
    server?.idleCPUNanoseconds = idle?.cpuNanoseconds
    var report = LoadReport(
      scenario: plan.scenario.rawValue, commandLine: run.commandLine, startedAt: startedAt,
      machine: Machine.current(), sharesHost: server != nil,
      load: plan.members(loops: run.lanes.count), ending: ending(course),
      seconds: seconds, calls: calls, steps: all.steps.filter { $0.latency.count > 0 },
      connections: all.connections,
      client: meter.clientFigures(from: course.opening, to: closing), server: server,
      checks: checks(all), series: course.series)
    report.saturation += GeneratorLimit.reasons(in: calls.failures)
    return report
  }

  private func ending(_ course: Course) -> LoadReport.Ending {
    if course.isStopped { return .interrupted }
    return course.window.closes == .max || course.closing == nil ? .calls : .duration
  }

  /// The lanes' own checks, and the one that needs all of them: nothing came twice.
  private func checks(_ all: LoadLane.Figures) -> [CheckResult] {
    guard plan.scenario != .productFilter else { return all.checks }
    var unique = SessionSlot.check
    if plan.scenario == .purchase {
      unique = CheckResult(name: "transactions_unique", title: "transactions unique")
    }
    run.tap?.onFingerprints(unique.name, all.fingerprints)
    unique.checked = all.fingerprints.kept
    unique.violations = all.fingerprints.duplicates()
    if unique.violations > 0 { unique.sample = "\(unique.violations) came a second time" }
    return all.checks + [unique]
  }
}

extension LoadLane.Figures {
  /// Adds those of another lane of the same run.
  mutating func merge(_ other: LoadLane.Figures) {
    calls.merge(other.calls)
    for index in steps.indices { steps[index].latency.merge(other.steps[index].latency) }
    for index in checks.indices { checks[index].merge(other.checks[index]) }
    connections.merge(other.connections)
    fingerprints.merge(other.fingerprints)
    lastAnswer = max(lastAnswer, other.lastAnswer)
  }
}
