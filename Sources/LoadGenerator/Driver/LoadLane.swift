import LoadReporting
import RPC
import RPCClient
import RPCTransport

/// What one event loop of a run does and finds. Confined to its loop, so that counting takes no
/// locks; the run asks for copies.
final class LoadLane: @unchecked Sendable {
  /// What a lane counts.
  struct Figures: Sendable {
    var calls = CallFigures()
    var steps: [StepFigures]
    var checks: [CheckResult]
    var connections = ConnectionFigures()

    /// Of session tokens, or of transaction identifiers.
    var fingerprints = FingerprintLog()

    /// When the last answer came.
    var lastAnswer: UInt64 = 0
  }

  /// What came since it was last asked.
  struct Interval: Sendable {
    var ok = 0
    var failed = 0
    var latency = LatencyHistogram()

    mutating func merge(_ other: Interval) {
      ok += other.ok
      failed += other.failed
      latency.merge(other.latency)
    }
  }

  let index: Int
  let loop: EventLoop
  var slots: [Slot] = []
  var figures: Figures
  private(set) var window = RunWindow(opens: .max, closes: .max, countsCalls: false)

  private var interval = Interval()
  private var callsLeft = Int.max
  private var active = 0
  private var isClosing = false
  private var onEnd: @Sendable () -> Void = {}

  init(index: Int, loop: EventLoop, steps: [String], checks: [CheckResult]) {
    self.index = index
    self.loop = loop
    figures = Figures(steps: steps.map(StepFigures.init(name:)), checks: checks)
  }

  // MARK: The run

  /// Lets all slots begin. `onEnd` is called once, when each has ended its last call.
  func start(_ window: RunWindow, calls: Int, onEnd: @escaping @Sendable () -> Void) {
    self.window = window
    self.onEnd = onEnd
    callsLeft = calls
    active = slots.count + 1
    for slot in slots { slot.next(now: ProcessClock.monotonic()) }
    retire()
  }

  /// No slot begins another call.
  func stop(now: UInt64) {
    window.closes = min(window.closes, now)
    callsLeft = 0
  }

  /// Lets the slots go, which refer to the lane.
  func dismiss() {
    for slot in slots { slot.end() }
    slots = []
  }

  /// Takes what came since the last time.
  func takeInterval() -> Interval {
    defer {
      interval.ok = 0
      interval.failed = 0
      interval.latency.reset()
    }
    return interval
  }

  /// From here on a connection's end is no loss.
  func expectClosing() { isClosing = true }

  func connectionEvent(_ event: ConnectionEvent) {
    switch event {
    case .opened(let info):
      figures.connections.opened += 1
      if info.isResumed {
        figures.connections.resumedHandshakes += 1
      } else {
        figures.connections.fullHandshakes += 1
      }
      if figures.connections.security == nil { figures.connections.security = info.security }
    case .failed:
      figures.connections.failed += 1
    case .closed:
      if !isClosing { figures.connections.lost += 1 }
    }
  }

  // MARK: The slots

  /// Whether another call may begin; if so, it is counted as sent.
  @inline(__always)
  func admit(_ now: UInt64) -> Bool {
    guard now < window.closes, callsLeft > 0 else { return false }
    if now >= window.opens { callsLeft &-= 1 }
    figures.calls.sent &+= 1
    return true
  }

  @inline(__always)
  func succeeded(begun: UInt64, now: UInt64) {
    let latency = now &- begun
    interval.ok &+= 1
    interval.latency.record(latency)
    figures.lastAnswer = now
    if window.measures(begun: begun, answered: now) {
      figures.calls.ok &+= 1
      figures.calls.latency.record(latency)
    } else {
      figures.calls.okOutside &+= 1
    }
  }

  /// The messages of a right answer.
  @inline(__always)
  func moved(request: Int, response: Int) {
    figures.calls.requestBytes &+= UInt64(request)
    figures.calls.responseBytes &+= UInt64(response)
  }

  func failed(_ kind: FailureTally.Kind, _ message: String, now: UInt64) {
    interval.failed += 1
    figures.lastAnswer = now
    figures.calls.failed += 1
    figures.calls.failures.record(kind, message)
  }

  /// A part of a call took so long; `begun` is when the call was.
  func stepped(_ step: Int, took latency: UInt64, begun: UInt64, now: UInt64) {
    guard window.measures(begun: begun, answered: now) else { return }
    figures.steps[step].latency.record(latency)
  }

  /// A slot has ended its last call.
  func retire() {
    active -= 1
    if active == 0 { onEnd() }
  }

  // MARK: From other threads

  /// Runs `body` on the loop and waits for what it returns.
  func ask<Value: Sendable>(_ body: @escaping @Sendable (LoadLane) -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      loop.post { continuation.resume(returning: body(self)) }
    }
  }
}
