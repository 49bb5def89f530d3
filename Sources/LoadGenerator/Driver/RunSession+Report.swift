import LoadReporting

extension RunSession {
  /// Puts together what the lanes have counted.
  func report(
    _ course: Course, end: ProcessMeter.Reading, startedAt: Int64
  ) async -> LoadReport {
    let parts = await partFigures()
    let merged = RunFigures(parts)
    let all = merged.all
    let closing = course.closing ?? end
    let seconds = measuredSeconds(course, closing: closing, lastAnswer: all.lastAnswer)
    var server = meter.serverFigures(from: course.opening, to: closing)
    server?.residentBytesPerConnection = idle?.bytesPerConnection
    server?.idleCPUNanoseconds = idle?.cpuNanoseconds
    var report = LoadReport(
      scenario: plan.title, commandLine: run.commandLine, startedAt: startedAt,
      machine: Machine.current(), sharesHost: server != nil,
      load: plan.members(loops: run.drivers.count), ending: ending(course),
      seconds: seconds, calls: all.calls, steps: all.steps.filter { $0.latency.count > 0 },
      connections: all.connections,
      client: meter.clientFigures(from: course.opening, to: closing), server: server,
      checks: merged.checks(plan, tap: run.tap), series: course.series)
    await addWireBytes(to: &report)
    report.connections.tickets = run.contexts[0].source.ticketsReceived
    report.phases = all.times.figures(total: all.calls.latency, isPaced: plan.isOpenLoop)
    if plan.mix.count > 1 { report.scenarios = merged.scenarios(plan) }
    await addDelivery(to: &report, failed: Int(all.times.failed.count), course)
    report.saturation += GeneratorLimit.reasons(in: all.calls.failures)
    return report
  }

  /// Calls that are counted end with the last answer, a time that is measured with its end.
  private func measuredSeconds(
    _ course: Course, closing: ProcessMeter.Reading, lastAnswer: UInt64
  ) -> Double {
    let opened = course.opening.instant
    var closed = closing.instant
    if plan.isOpenLoop {
      // Interrupted, or all planned calls were made: it was over before its time.
      if plan.callLimit != nil { closed = min(closed, max(lastAnswer, opened)) }
    } else if course.window.counts == .begins {
      closed = min(closed, max(lastAnswer, opened))
    }
    return Double(closed &- min(closed, opened)) / 1e9
  }

  /// The figures of each scenario of the mix, of all loops.
  private func partFigures() async -> [LoadLane.Figures] {
    var parts = await run.drivers[0].ask { $0.lanes.map(\.figures) }
    for driver in run.drivers.dropFirst() {
      let others = await driver.ask { $0.lanes.map(\.figures) }
      for index in parts.indices { parts[index].merge(others[index]) }
    }
    for index in parts.indices { parts[index].calls.unanswered = parts[index].calls.underWay }
    return parts
  }

  private func ending(_ course: Course) -> LoadReport.Ending {
    if course.isStopped { return .interrupted }
    return course.window.closes == .max || course.closing == nil ? .calls : .duration
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
    times.merge(other.times)
    sessions += other.sessions
    purchases.merge(other.purchases)
    lastAnswer = max(lastAnswer, other.lastAnswer)
  }
}
