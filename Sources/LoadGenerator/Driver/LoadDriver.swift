import LoadReporting
import RPCCore
import RPCTransport

/// Decides on one event loop which simulated client begins a call, and when. Confined to its loop.
///
/// In a closed loop each begins its next call when the one before has ended. In an open loop calls
/// begin when the plan says so; see `LoadDriver+OpenLoop.swift`.
final class LoadDriver: @unchecked Sendable {
  /// What a driver does, of its plan.
  struct Rules: Sendable {
    var overload = LoadPlan.Overload.queue

    /// The most calls under way at one time.
    var maxInFlight = Int.max

    /// Of clients that make a new connection after so many calls.
    var resumption = ResumptionTurn(LoadPlan(scenario: .handshake))
  }

  let index: Int
  let loop: EventLoop

  /// One for each scenario of the mix.
  let lanes: [LoadLane]

  var places: [Place] = []
  let rules: Rules
  let clock: @Sendable () -> UInt64

  /// Which of the connections that clients make after so many calls resume a TLS session.
  var resumption: ResumptionTurn

  /// Whether any of the simulated clients pauses between its calls.
  private let thinks: Bool

  /// How much of the plan was carried out; of a closed loop, the calls under way alone.
  @exclusivity(unchecked) var load = LoadFigures()

  /// From the planned start of a call to when the loop came to look at it: what the generator
  /// itself is late.
  @exclusivity(unchecked) var dispatchLag = LatencyHistogram()

  @exclusivity(unchecked) private(set) var window = RunWindow(
    opens: .max, closes: .max, counts: .answers)
  @exclusivity(unchecked) private var mix = ScenarioMix(weights: [1], seed: 0)
  @exclusivity(unchecked) private var callsLeft = Int.max

  /// Places that haven't made their last call.
  private var active = 0
  private var onEnd: @Sendable () -> Void = {}
  private var hasEnded = false
  var isStopped = false

  // The open loop.
  @exclusivity(unchecked) var arrivals: LaneArrivals?
  var upcoming: Arrival?
  var waiting = Ring<Arrival>()
  var idle = Ring<Place>()
  @exclusivity(unchecked) var inFlight = 0
  var isPumping = false
  var alarm: (any Alarm)?

  /// Planned and skipped since the last second.
  var recent = (planned: 0, skipped: 0)

  private static let firstPause: UInt64 = 10_000_000
  private static let longestPause: UInt64 = 1_000_000_000

  /// - Parameter clock: the monotonic clock.
  init(
    index: Int, loop: EventLoop, lanes: [LoadLane], rules: Rules = Rules(),
    clock: @escaping @Sendable () -> UInt64 = ProcessClock.monotonic
  ) {
    self.index = index
    self.loop = loop
    self.lanes = lanes
    self.rules = rules
    resumption = rules.resumption
    thinks = lanes.contains { $0.thinkTime != nil }
    self.clock = clock
    for lane in lanes { lane.driver = self }
  }

  // MARK: The run

  /// Lets the load begin. `onEnd` is called once, when the last call has ended.
  ///
  /// - Parameters:
  ///   - calls: how many are made in the measured window at most; of a closed loop.
  ///   - arrivals: the calls of an open loop; nil: a closed one.
  ///   - alarm: wakes the open loop; nil: a timer of the event loop does.
  func start(
    _ window: RunWindow, calls: Int = .max, mix: ScenarioMix? = nil,
    arrivals: LaneArrivals? = nil, alarm: (any Alarm)? = nil, onEnd: @escaping @Sendable () -> Void
  ) {
    let now = clock()
    self.window = window
    self.onEnd = onEnd
    if let mix { self.mix = mix }
    for lane in lanes { lane.start(window, now: now) }
    guard let arrivals else { return startClosedLoop(calls) }
    startOpenLoop(arrivals, alarm ?? LoopAlarm(loop) { [weak self] in self?.alarmFired() })
  }

  private func startClosedLoop(_ calls: Int) {
    callsLeft = calls
    active = places.count + 1
    for place in places { next(place, now: clock()) }
    retire()
  }

  /// No call is begun any more.
  func stop(now: UInt64) {
    guard !isStopped else { return }
    window.closes = min(window.closes, now)
    for lane in lanes { lane.close(now: now) }
    if arrivals != nil { return closeOpenLoop(now: now) }
    isStopped = true
    callsLeft = 0
    endWaiting()
  }

  /// Those that think or pause have nothing more to do.
  private func endWaiting() {
    for place in places where place.endWaiting() { retire() }
  }

  /// What ends from here on isn't counted: those calls are without an answer.
  func endCounting() {
    for lane in lanes { lane.endCounting() }
  }

  /// Lets the places go, which refer to the driver.
  func dismiss() {
    for place in places { place.end() }
    for lane in lanes { lane.driver = nil }
    alarm?.disarm()
    places = []
    idle.removeAll()
  }

  /// The driver has nothing more to do.
  func end() {
    guard !hasEnded else { return }
    hasEnded = true
    onEnd()
  }

  // MARK: The places

  /// A slot's call has ended, right or wrong.
  ///
  /// - Parameter afterLocalFailure: it failed on this side, where the next would fail at once.
  @inline(__always)
  func ended(_ slot: Slot, now: UInt64, afterLocalFailure: Bool = false) {
    inFlight &-= 1
    if slot.isAlone, arrivals == nil, !thinks, !afterLocalFailure { return proceed(slot, now: now) }
    guard let place = slot.holder else { return }
    if arrivals != nil { return becameIdle(place, now: now) }
    if afterLocalFailure { return pause(place, failures: slot.failuresInRow, now: now) }
    if thinks, let time = slot.lane.thinkTime { return think(place, time, now: now) }
    next(place, now: now)
  }

  /// A place of a closed loop begins its next call, unless the run is over.
  private func next(_ place: Place, now: UInt64) {
    let isAlone = place.slots.count == 1
    proceed(place.slots[isAlone ? 0 : mix.part(ofCall: place.takeCallNumber())], now: now)
  }

  @inline(__always)
  private func proceed(_ slot: Slot, now: UInt64) {
    guard now < window.closes, callsLeft > 0, slot.quota > 0 else { return retire() }
    if now >= window.opens {
      callsLeft &-= 1
      if callsLeft == 0 { endWaiting() }
    }
    begin(slot, planned: now, now: now)
  }

  @inline(__always)
  func begin(_ slot: Slot, planned: UInt64, now: UInt64) {
    inFlight &+= 1
    if inFlight > load.inFlightMax { load.inFlightMax = inFlight }
    slot.lane.figures.calls.sent &+= 1
    slot.begin(planned: planned, now: now)
  }

  private func pause(_ place: Place, failures: Int, now: UInt64) {
    let times = UInt64(min(max(0, failures - 1), 10))
    rest(place, min(LoadDriver.longestPause, LoadDriver.firstPause << times), now: now)
  }

  private func think(_ place: Place, _ time: ThinkTime, now: UInt64) {
    rest(place, place.think(time), now: now)
  }

  private func rest(_ place: Place, _ length: UInt64, now: UInt64) {
    guard callsLeft > 0 else { return next(place, now: now) }
    // Not beyond the end of the run, so that it isn't kept waiting.
    let until = min(now &+ length, max(now, window.closes))
    place.wait(until: until, on: loop) { [weak self, weak place] in
      guard let self, let place else { return }
      next(place, now: clock())
    }
  }

  /// A place has ended its last call.
  private func retire() {
    active -= 1
    if active == 0 { end() }
  }

  // MARK: Figures

  /// What all lanes have found since the last time.
  func takeInterval() -> Interval {
    var interval = Interval()
    for lane in lanes { interval.calls.merge(lane.takeInterval()) }
    interval.planned = recent.planned
    interval.skipped = recent.skipped
    interval.inFlight = inFlight
    interval.isPaced = arrivals != nil
    interval.threadCPU = ProcessClock.ownThreadCPU()
    recent = (0, 0)
    return interval
  }

  /// What came since the driver was last asked, and how it stands now.
  struct Interval: Sendable {
    var calls = LoadLane.Interval()
    var planned = 0
    var skipped = 0
    var inFlight = 0
    var isPaced = false

    /// What the loop's thread has used of the CPU so far, in nanoseconds.
    var threadCPU: UInt64 = 0
  }

  // MARK: From other threads

  /// Runs `body` on the loop and waits for what it returns.
  func ask<Value: Sendable>(_ body: @escaping @Sendable (LoadDriver) -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      loop.post { continuation.resume(returning: body(self)) }
    }
  }
}
