import LoadReporting
import RPC
import RPCClient
import RPCTransport

/// What one scenario finds on one event loop. Confined to its loop, so that counting takes no
/// locks; the run asks for copies. What each call passes by does without checks of overlapping
/// accesses, too: nothing holds it while it calls out.
final class LoadLane: @unchecked Sendable {
  /// What a lane counts.
  struct Figures: Sendable {
    var calls = CallFigures()
    var steps: [StepFigures]
    var checks: [CheckResult]
    var connections = ConnectionFigures()
    var times = PhaseTimes()

    /// Of session tokens, or of transaction identifiers.
    var fingerprints = FingerprintLog()

    /// Sessions that are looked at again after the load.
    var sessions: [SampledSession] = []

    /// What a sample of users has bought.
    var purchases = PurchaseLog()

    /// When the last answer came.
    var lastAnswer: UInt64 = 0
  }

  /// What came since it was last asked.
  struct Interval: Sendable {
    var ok = 0
    var failed = 0
    var opened = 0
    var latency = LatencyHistogram()

    mutating func merge(_ other: Interval) {
      ok += other.ok
      failed += other.failed
      opened += other.opened
      latency.merge(other.latency)
    }
  }

  let index: Int
  let loop: EventLoop
  @exclusivity(unchecked) var figures: Figures
  /// Counts the calls that are made through generated stubs.
  let tally: ExchangeTally

  /// How long its simulated clients pause after a call of a closed loop; nil: not at all.
  let thinkTime: ThinkTime?

  /// Which of the connections that its calls make resume a TLS session.
  var resumption: ResumptionTurn

  @exclusivity(unchecked) private(set) var window = RunWindow(
    opens: .max, closes: .max, counts: .answers)

  /// Begins the calls. It has its lanes, too: the run's end parts them.
  @exclusivity(unchecked) var driver: LoadDriver?

  /// When the load began; failures are told by their distance from it.
  private var loadBegan: UInt64 = 0

  @exclusivity(unchecked) private var interval = Interval()
  private var isClosing = false

  /// Connections that are being closed, and whose end hasn't come yet.
  private(set) var leaving = 0
  @exclusivity(unchecked) private var isOver = false

  init(
    index: Int, loop: EventLoop, steps: [String], checks: [CheckResult],
    serviceTime: ServiceTimeSampling = .off, thinkTime: ThinkTime? = nil,
    resumption: ResumptionTurn = ResumptionTurn(LoadPlan(scenario: .handshake))
  ) {
    self.index = index
    self.loop = loop
    self.thinkTime = thinkTime
    self.resumption = resumption
    tally = ExchangeTally(serviceTime)
    figures = Figures(steps: steps.map(StepFigures.init(name:)), checks: checks)
  }

  /// From here on calls belong to the load.
  func start(_ window: RunWindow, now: UInt64) {
    self.window = window
    loadBegan = now
  }

  /// The window closes earlier than planned.
  func close(now: UInt64) {
    window.closes = min(window.closes, now)
  }

  /// What is answered from here on isn't looked at any more.
  func endCounting() { isOver = true }

  /// Takes what came since the last time.
  func takeInterval() -> Interval {
    defer {
      interval.ok = 0
      interval.failed = 0
      interval.opened = 0
      interval.latency.reset()
    }
    return interval
  }

  /// From here on a connection's end is no loss.
  func expectClosing() { isClosing = true }

  /// A connection is being closed on purpose: its end comes, and is waited for a moment when the
  /// run is over, so that what it moved is counted.
  func connectionLeaves() { leaving += 1 }

  /// - Parameter endIsExpected: ``connectionLeaves()`` was called for it.
  func connectionEvent(_ event: ConnectionEvent, endIsExpected: Bool = false) {
    switch event {
    case .opened(let info):
      opened(info)
      if figures.connections.security == nil { figures.connections.security = info.security }
    case .failed(let error):
      figures.connections.failed += 1
      if error.phase == .handshake { figures.connections.failedHandshakes += 1 }
    case .closed(_, let bytes):
      figures.connections.bytesSent += bytes.sent
      figures.connections.bytesReceived += bytes.received
      if endIsExpected {
        leaving -= 1
      } else if !isClosing {
        figures.connections.lost += 1
      }
    }
  }

  private func opened(_ info: ConnectionInfo) {
    interval.opened += 1
    figures.connections.opened += 1
    if info.isRetried { figures.connections.helloRetries += 1 }
    if info.tcp > .zero { figures.times.tcpConnect.record(info.tcp.inNanoseconds) }
    let tls = info.tls.inNanoseconds
    if info.isResumed {
      figures.connections.resumedHandshakes += 1
      if tls > 0 { figures.times.tlsResumed.record(tls) }
    } else {
      figures.connections.fullHandshakes += 1
      if tls > 0 { figures.times.tlsFull.record(tls) }
    }
  }

  /// One exchange of a call was answered with OK.
  @inline(__always)
  func answered(_ times: AnswerTimes) {
    let ended = UInt64(clamping: times.ended.nanoseconds)
    let opened = UInt64(clamping: times.opened.nanoseconds)
    guard !isOver, ended >= window.opens, window.counts != .answers || ended < window.closes else {
      return
    }
    let first = UInt64(clamping: times.firstByte.nanoseconds)
    figures.times.firstByte.record(first &- min(first, opened))
    guard !times.trailers.isEmpty, let service = times.trailers.serviceNanoseconds else { return }
    figures.times.service.record(service)
    let whole = ended &- min(ended, opened)
    figures.times.network.record(whole &- min(whole, service))
  }

  // MARK: The slots

  @inline(__always)
  func succeeded(planned: UInt64, begun: UInt64, now: UInt64) {
    guard !isOver else { return }
    let latency = now &- planned
    interval.ok &+= 1
    interval.latency.record(latency)
    figures.lastAnswer = now
    guard window.measures(planned: planned, answered: now) else {
      figures.calls.okOutside &+= 1
      return
    }
    figures.calls.ok &+= 1
    figures.calls.latency.record(latency)
    guard window.counts == .plans else { return }
    figures.times.waitForSlot.record(begun &- planned)
    figures.times.rpc.record(now &- begun)
    if now >= window.closes { figures.calls.okLate &+= 1 }
  }

  /// The messages of a right answer.
  @inline(__always)
  func moved(request: Int, response: Int) {
    figures.calls.requestBytes &+= UInt64(request)
    figures.calls.responseBytes &+= UInt64(response)
  }

  func failed(_ kind: FailureTally.Kind, _ message: String, planned: UInt64, now: UInt64) {
    guard !isOver else { return }
    interval.failed += 1
    figures.lastAnswer = now
    figures.calls.failed += 1
    figures.calls.failures.record(kind, message, at: now &- min(now, loadBegan))
    if window.measures(planned: planned, answered: now) {
      figures.times.failed.record(now &- min(now, planned))
    }
  }

  /// A part of a call took so long; `begun` is when the call was.
  func stepped(_ step: Int, took latency: UInt64, begun: UInt64, now: UInt64) {
    guard !isOver, window.measures(planned: begun, answered: now) else { return }
    figures.steps[step].latency.record(latency)
  }
}
