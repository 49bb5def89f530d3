import LoadReporting
import RPC
import RPCTransport

/// The course of one run, step by step.
struct RunSession {
  let run: LoadRun
  let meter: ProcessMeter
  var clients: [any LoadClient] = []
  var idle: IdleFigures?

  init(run: LoadRun, meter: ProcessMeter) {
    self.run = run
    self.meter = meter
  }

  var plan: LoadPlan { run.plan }

  /// How long those calls are waited for that are under way when somebody stops the run.
  static let patienceAfterStop: UInt64 = 1_000_000_000

  // MARK: The load

  /// Makes the load and reports.
  mutating func load(_ onSecond: (SecondFigures) -> Void) async -> LoadReport {
    let startedAt = ProcessClock.wallMilliseconds()
    var course = start()
    loop: for await event in run.events.stream {
      switch event {
      case .tick: onSecond(await second(&course))
      case .opens: course.opening = meter.read()
      case .closes: course.closing = course.closing ?? meter.read()
      case .laneEnded:
        course.lanesRunning -= 1
        if course.lanesRunning == 0 { break loop }
      case .stopped: await stop(&course)
      case .tooLate: break loop
      }
    }
    run.events.finish()
    let end = meter.read()
    if course.ticked < end.instant { course.series.append(await second(&course)) }
    return await report(course, end: end, startedAt: startedAt)
  }

  /// What is known while the load goes on.
  struct Course {
    var window: RunWindow
    var begun: UInt64
    var ticked: UInt64
    var tickReading: ProcessMeter.Reading
    var opening: ProcessMeter.Reading
    var closing: ProcessMeter.Reading?
    var lanesRunning: Int
    var isStopped = false
    var series: [SecondFigures] = []
  }

  private func start() -> Course {
    let reading = meter.read()
    let now = reading.instant
    // The idle time is over already; what is left is one call on each connection.
    let isIdle = plan.scenario == .idle
    let opens = now &+ (isIdle ? 0 : plan.warmup.inNanoseconds)
    let duration = isIdle ? nil : plan.duration
    let closes = duration.map { opens &+ $0.inNanoseconds } ?? .max
    let countsCalls = plan.callLimit != nil || isIdle
    let window = RunWindow(opens: opens, closes: closes, countsCalls: countsCalls)
    let loop = run.lanes[0].loop
    if opens > now { run.events.send(.opens, at: opens, on: loop) }
    if closes < .max {
      run.events.send(.closes, at: closes, on: loop)
      run.events.send(.tooLate, at: closes &+ plan.timeout.inNanoseconds, on: loop)
    }
    run.events.sendTicks(from: now, on: loop)
    for (index, lane) in run.lanes.enumerated() {
      let calls = share(of: plan.callLimit, lane: index)
      lane.loop.post {
        lane.start(window, calls: calls) { [events = run.events] in events.send(.laneEnded) }
      }
    }
    return Course(
      window: window, begun: now, ticked: now, tickReading: reading, opening: reading,
      lanesRunning: run.lanes.count)
  }

  private func share(of limit: Int?, lane: Int) -> Int {
    guard let limit else { return .max }
    return limit / run.lanes.count + (lane < limit % run.lanes.count ? 1 : 0)
  }

  private func stop(_ course: inout Course) async {
    guard !course.isStopped else { return }
    course.isStopped = true
    let now = ProcessClock.monotonic()
    course.closing = course.closing ?? meter.read()
    for lane in run.lanes { await lane.ask { $0.stop(now: now) } }
    run.events.send(.tooLate, at: now &+ RunSession.patienceAfterStop, on: run.lanes[0].loop)
  }

  /// What happened since the last second.
  private func second(_ course: inout Course) async -> SecondFigures {
    var all = LoadLane.Interval()
    for lane in run.lanes { all.merge(await lane.ask { $0.takeInterval() }) }
    let reading = meter.read()
    let elapsed = Double(reading.instant &- course.ticked) / 1e9
    func cores(_ before: UInt64, _ after: UInt64) -> Double {
      elapsed > 0 ? Double(after &- before) / 1e9 / elapsed : 0
    }
    var serverCores: Double?
    if let before = course.tickReading.serverCPU, let after = reading.serverCPU {
      serverCores = cores(before, after)
    }
    let memory = meter.server.flatMap { ProcessMemory(ofProcess: $0) }
    let figures = SecondFigures(
      second: Double(reading.instant &- course.begun) / 1e9,
      isMeasured: reading.instant > course.window.opens,
      ok: all.ok, failed: all.failed, p50: all.latency.percentile(0.5),
      p99: all.latency.percentile(0.99),
      clientCores: cores(course.tickReading.clientCPU, reading.clientCPU),
      serverCores: serverCores, serverResidentBytes: memory?.residentBytes)
    course.ticked = reading.instant
    course.tickReading = reading
    course.series.append(figures)
    run.tap?.onSecond(figures, all.latency)
    return figures
  }
}
