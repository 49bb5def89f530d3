import LoadReporting

extension RunSession {
  /// What happened since the last second.
  func second(_ course: inout Course) async -> SecondFigures {
    var intervals: [LoadDriver.Interval] = []
    for driver in run.drivers { intervals.append(await driver.ask { $0.takeInterval() }) }
    let reading = meter.read()
    let elapsed = Double(reading.instant &- course.ticked) / 1e9
    func cores(_ before: UInt64, _ after: UInt64) -> Double {
      elapsed > 0 && after > before ? Double(after - before) / 1e9 / elapsed : 0
    }
    noteBusiness(intervals.map(\.threadCPU), &course, elapsed: elapsed, at: reading.instant)

    var calls = LoadLane.Interval()
    for interval in intervals { calls.merge(interval.calls) }
    var figures = SecondFigures(
      second: Double(reading.instant &- course.begun) / 1e9,
      isMeasured: reading.instant > course.window.opens,
      ok: calls.ok, failed: calls.failed, p50: calls.latency.percentile(0.5),
      p99: calls.latency.percentile(0.99),
      clientCores: cores(course.tickReading.clientCPU, reading.clientCPU))
    if plan.isOpenLoop { figures.planned = intervals.reduce(0) { $0 + $1.planned } }
    figures.skipped = intervals.reduce(0) { $0 + $1.skipped }
    figures.inFlight = intervals.reduce(0) { $0 + $1.inFlight }
    figures.connectionsOpened = calls.opened
    figures.p90 = calls.latency.percentile(0.9)
    figures.max = calls.latency.count > 0 ? calls.latency.max : nil
    figures.addServer(meter, from: course.tickReading, to: reading)
    addServerState(to: &figures, &course, elapsed: elapsed, at: reading.instant)
    course.ticked = reading.instant
    course.tickReading = reading
    run.tap?.onSecond(figures, calls.latency)
    figures.histogram = PackedHistogram(calls.latency)
    course.series.append(figures)
    return figures
  }

  /// Of a server that isn't a process of this machine: what it said last, if that is new.
  private func addServerState(
    to figures: inout SecondFigures, _ course: inout Course, elapsed: Double, at instant: UInt64
  ) {
    guard meter.server == nil, let state = sampler?.states.last(before: instant) else { return }
    if let before = course.serverState {
      figures.addServer(from: before, to: state, elapsed: elapsed)
    }
    course.serverState = state
  }

  /// Looks at the loops' threads: a loop can use one core and no more.
  private func noteBusiness(
    _ threadCPU: [UInt64], _ course: inout Course, elapsed: Double, at instant: UInt64
  ) {
    defer { course.threadCPU = threadCPU }
    // A part of a second says little, and warm-up isn't measured.
    guard course.threadCPU.count == threadCPU.count, elapsed > 0.5,
      instant > course.window.opens, course.ticked < course.window.closes
    else { return }
    let shares = zip(course.threadCPU, threadCPU).map { before, after in
      after > before ? Double(after - before) / 1e9 / elapsed : 0
    }
    course.busiest.append(shares.max() ?? 0)
  }
}

extension SecondFigures {
  /// Adds what `/proc` tells of a server on this machine.
  mutating func addServer(
    _ meter: ProcessMeter, from before: ProcessMeter.Reading, to after: ProcessMeter.Reading
  ) {
    let elapsed = Double(after.instant &- before.instant) / 1e9
    if let start = before.serverCPU, let end = after.serverCPU {
      serverCores = elapsed > 0 && end > start ? Double(end - start) / 1e9 / elapsed : 0
    }
    if let start = before.serverSwitches, let end = after.serverSwitches, end >= start {
      serverContextSwitches = end - start
    }
    guard let server = meter.server else { return }
    serverResidentBytes = ProcessMemory(ofProcess: server)?.residentBytes
    serverDescriptors = ProcessDescriptors.count(ofProcess: server)
  }
}
