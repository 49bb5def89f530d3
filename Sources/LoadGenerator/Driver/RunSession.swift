import LoadReporting
import RPC
import RPCTransport

/// The course of one run, step by step.
struct RunSession {
  let run: LoadRun
  let meter: ProcessMeter
  var clients: [any LoadClient] = []
  var idle: IdleFigures?

  /// Asks the servers how they are; nil: nobody may.
  let sampler: ServerSampler?

  /// When the measured window began and ended.
  var measured: (from: UInt64, to: UInt64) = (0, 0)

  /// What had gone over the wire when the load began.
  var wireBefore = WireBytes()

  init(run: LoadRun, meter: ProcessMeter) {
    self.run = run
    self.meter = meter
    sampler = run.status.map(ServerSampler.init)
  }

  var plan: LoadPlan { run.plan }

  /// How long those calls are waited for that are under way when somebody stops the run.
  static let patienceAfterStop: UInt64 = 1_000_000_000

  // MARK: The load

  /// Makes the load and reports.
  mutating func load(_ onSecond: (SecondFigures) -> Void) async -> LoadReport {
    let startedAt = run.wallClock()
    var course = start()
    loop: for await event in run.events.stream {
      switch event {
      case .tick: onSecond(await second(&course))
      case .opens:
        sampler?.askSoon()
        course.opening = meter.read()
      case .closes:
        sampler?.askSoon()
        course.closing = course.closing ?? meter.read()
        if plan.atEnd != .wait { break loop }
      case .laneEnded:
        course.driversRunning -= 1
        if course.driversRunning == 0 { break loop }
      case .stopped: await stop(&course)
      case .tooLate: break loop
      }
    }
    run.events.finish()
    let end = meter.read()
    // What is still under way has no answer, even if it comes while the figures are gathered.
    for driver in run.drivers {
      await driver.ask { driver in
        driver.stop(now: end.instant)
        driver.endCounting()
      }
    }
    if course.ticked < end.instant { _ = await second(&course) }
    await sampler?.end()
    measured = (course.opening.instant, (course.closing ?? end).instant)
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
    var driversRunning: Int
    var isStopped = false
    var series: [SecondFigures] = []

    /// What the servers had said of themselves by the last tick.
    var serverState: ServerTimeline.State?

    /// What the loops' threads had used of the CPU at the last tick.
    var threadCPU: [UInt64] = []

    /// How busy the busiest loop's thread was in each second of the measured window, from 0 to 1.
    var busiest: [Double] = []
  }

  private func start() -> Course {
    let reading = meter.read()
    let now = reading.instant
    let window = window(now: now)
    sampler?.begin(at: now)
    let loop = run.drivers[0].loop
    if window.opens > now { run.events.send(.opens, at: window.opens, on: loop) }
    if window.closes < .max {
      run.events.send(.closes, at: window.closes, on: loop)
      run.events.send(.tooLate, at: window.closes &+ plan.timeout.inNanoseconds, on: loop)
    }
    run.events.sendTicks(from: now, on: loop)
    for (index, driver) in run.drivers.enumerated() {
      let (plan, count) = (plan, run.drivers.count)
      let calls = plan.callLimit.map { plan.share(of: $0, loop: index, of: count) } ?? .max
      driver.loop.post { [events = run.events] in
        let arrivals =
          plan.isOpenLoop
          ? LaneArrivals(plan, begins: now, opens: window.opens, lane: index, of: count) : nil
        driver.start(window, calls: calls, mix: plan.scenarioMix, arrivals: arrivals) {
          events.send(.laneEnded)
        }
      }
    }
    return Course(
      window: window, begun: now, ticked: now, tickReading: reading, opening: reading,
      driversRunning: run.drivers.count, serverState: sampler?.states.states.last)
  }

  private func window(now: UInt64) -> RunWindow {
    // The idle time is over already; what is left is one call on each connection.
    let isIdle = plan.scenario == .idle
    let opens = now &+ (isIdle ? 0 : plan.warmup.inNanoseconds)
    var duration = isIdle ? nil : plan.duration
    if plan.isOpenLoop { duration = plan.stages.reduce(.zero) { $0 + $1.duration } }
    let counts: RunWindow.Counts =
      plan.isOpenLoop ? .plans : plan.callLimit != nil || isIdle ? .begins : .answers
    return RunWindow(
      opens: opens, closes: duration.map { opens &+ $0.inNanoseconds } ?? .max, counts: counts)
  }

  private func stop(_ course: inout Course) async {
    guard !course.isStopped else { return }
    course.isStopped = true
    let now = ProcessClock.monotonic()
    course.closing = course.closing ?? meter.read()
    for driver in run.drivers { await driver.ask { $0.stop(now: now) } }
    run.events.send(
      .tooLate, at: now &+ RunSession.patienceAfterStop, on: run.drivers[0].loop)
  }
}
