import RPC
import RPCCore
import RPCTransport
import Synchronization

/// A client's connections on one event loop, and the calls that wait for one.
///
/// Its properties do without checks of exclusive access where every call passes by: nothing holds
/// one while it tells a call its outcome.
///
/// Confined to its loop, but for `start`, `cancel` and the inbox behind them. Connections are made
/// when a call needs one, or all at once when asked for.
final class ClientPool: @unchecked Sendable {
  let loop: EventLoop
  let configuration: ClientConfiguration
  let dialer: Dialer
  let size: Int
  let counters = ClientCounters()

  /// False: the pool is over when its connection is.
  let reconnects: Bool

  /// Connections that take calls.
  @exclusivity(unchecked) var ready: [ClientConnection] = []

  /// Connections that only finish the calls they have.
  var leaving: [ClientConnection] = []

  @exclusivity(unchecked) var waiting = CallQueue()
  var connecting = 0
  var failures = 0

  /// Why the last attempt failed, while the next one has to wait.
  var lastFailure: RPCError?

  /// Connections are made whether or not a call waits.
  var isEager = false
  @exclusivity(unchecked) var isClosing = false
  var onOpen: [@Sendable (RPCError?) -> Void] = []
  var onClosed: [@Sendable () -> Void] = []

  /// Calls under a policy that wait for the time of their next attempt.
  private var pausing: [ObjectIdentifier: RepeatedCall] = [:]

  /// In nanoseconds; the largest number is none.
  private let defaultTimeout: Int64
  @exclusivity(unchecked) private var turn = 0
  private var backoffTimer: LoopTimer?
  private var queueTimer: LoopTimer?
  private var queueInstant = MonotonicInstant.distantFuture
  private var pumpTimer: LoopTimer?
  private let inbox = Mutex<[OutgoingCall]>([])

  init(
    _ loop: EventLoop, _ configuration: ClientConfiguration, dialer: Dialer, size: Int,
    reconnects: Bool = true
  ) {
    self.loop = loop
    self.configuration = configuration
    self.dialer = dialer
    self.size = size
    defaultTimeout = configuration.defaultTimeout?.saturatedNanoseconds ?? .max
    self.reconnects = reconnects
  }

  // MARK: Any thread

  /// Sets a call's deadline and takes it.
  func begin(_ call: OutgoingCall) {
    setDeadline(of: call)
    take(call)
  }

  /// Sets when the caller stops waiting.
  func setDeadline(of call: OutgoingCall) {
    let timeout = call.options.timeout?.saturatedNanoseconds ?? defaultTimeout
    if timeout < .max {
      let now = loop.isCurrent ? loop.now : MonotonicInstant.now
      call.deadline = now.advanced(byNanoseconds: timeout)
    } else {
      call.deadline = .distantFuture
    }
  }

  /// Takes a call that has its deadline.
  func take(_ call: OutgoingCall) {
    guard call.begin(self) else {
      call.finish()
      return call.failed(OutgoingCall.givenUp)
    }
    if loop.isCurrent { submit(call) } else { handOver(call) }
  }

  private func handOver(_ call: OutgoingCall) {
    let wasEmpty = inbox.withLock { calls in
      calls.append(call)
      return calls.count == 1
    }
    if wasEmpty { loop.post { self.drainInbox() } }
  }

  private func drainInbox() {
    let calls = inbox.withLock { calls in
      defer { calls = [] }
      return calls
    }
    for call in calls { submit(call) }
  }

  // MARK: On the loop

  /// Opens a call, or queues it.
  func submit(_ call: OutgoingCall) {
    guard !isClosing else {
      return fail(call, .unavailable, "the client is closed")
    }
    if waiting.isEmpty, let connection = pick(), connection.open(call) == .taken { return }
    enqueue(call)
  }

  private func enqueue(_ call: OutgoingCall) {
    if let lastFailure, !call.options.waitsForReady, ready.isEmpty, connecting == 0 {
      call.finish()
      return call.failed(lastFailure)
    }
    guard waiting.count < configuration.queueLimit else {
      return fail(
        call, .resourceExhausted,
        "\(waiting.count) calls wait for a connection already; raise queueLimit or connections")
    }
    waiting.append(call)
    watch(call.deadline)
    connectIfNeeded()
  }

  /// A connection that takes calls: the less busy of two, in turn.
  private func pick() -> ClientConnection? {
    guard ready.count > 1 else { return ready.first }
    turn = turn + 1 < ready.count ? turn + 1 : 0
    let first = ready[turn]
    let second = ready[turn + 1 < ready.count ? turn + 1 : 0]
    return second.callCount < first.callCount ? second : first
  }

  /// Opens waiting calls on a connection while it takes them.
  func pump(_ connection: ClientConnection) {
    while connection.takesCalls, let call = waiting.popFirst() {
      guard connection.open(call) != .taken else { continue }
      waiting.prepend(call)
      break
    }
  }

  func pumpAll() {
    for connection in ready where !waiting.isEmpty { pump(connection) }
    if !waiting.isEmpty { connectIfNeeded() }
  }

  /// Puts a call back that was refused without being started, and tries again a little later:
  /// sooner, the same slot would refuse it again.
  func requeue(_ call: OutgoingCall) {
    guard !isClosing else { return fail(call, .unavailable, "the client is closed") }
    counters.transparentRetries.add(1)
    call.stream = 0
    waiting.prepend(call)
    watch(call.deadline)
    let delay = Duration.milliseconds(5) * (1 << min(call.attempts, 6))
    let timer = pumpTimer ?? loop.makeTimer { [weak self] in self?.pumpAll() }
    pumpTimer = timer
    if !timer.isArmed { timer.arm(at: loop.now.advanced(by: delay)) }
    connectIfNeeded()
  }

  func fail(_ call: OutgoingCall, _ code: StatusCode, _ text: String) {
    call.finish()
    call.failed(RPCError(code, text, phase: .queued, wasStarted: false))
  }

  // MARK: Calls between two attempts

  func pauses(_ call: RepeatedCall) { pausing[ObjectIdentifier(call)] = call }

  func resumes(_ call: RepeatedCall) { pausing[ObjectIdentifier(call)] = nil }

  /// There are to be no further attempts.
  func endPausing() {
    let calls = pausing.values
    pausing = [:]
    for call in calls { call.poolCloses() }
  }

  // MARK: Deadlines of calls that wait

  private func watch(_ deadline: MonotonicInstant) {
    guard deadline < queueInstant else { return }
    queueInstant = deadline
    let timer = queueTimer ?? loop.makeTimer { [weak self] in self?.expireWaiting() }
    queueTimer = timer
    timer.arm(at: deadline)
  }

  private func expireWaiting() {
    queueInstant = .distantFuture
    let now = loop.now
    for call in waiting.take(where: { $0.deadline <= now }) {
      call.finish()
      call.failed(.expired(.queued, wasStarted: false))
    }
    if let next = waiting.earliestDeadline { watch(next) }
  }

  // MARK: Connecting

  /// Begins as many attempts as there is need for, unless one has to wait.
  func connectIfNeeded() {
    guard !isClosing, lastFailure == nil, isEager || !waiting.isEmpty else { return }
    // After a failure one attempt is enough to find out.
    let most = failures == 0 ? size : 1
    while ready.count + connecting < most { connect() }
  }

  func connect() {
    connecting += 1
    dialer.dial(on: loop, owner: self) { [weak self] error in self?.connectFailed(error) }
  }

  private func connectFailed(_ error: RPCError) {
    connecting -= 1
    failures += 1
    counters.countFailure(error.phase)
    configuration.onConnectionEvent(.failed(error))
    if !reconnects { isClosing = true }
    tellOpen(error)
    if isClosing { return tellIfClosed() }
    if backoffTimer?.isArmed != true { waitBeforeNext(error) }
    guard ready.isEmpty, connecting == 0 else { return }
    for call in waiting.take(where: { !$0.options.waitsForReady }) {
      call.finish()
      call.failed(error)
    }
  }

  private func waitBeforeNext(_ error: RPCError) {
    lastFailure = error
    let timer = backoffTimer ?? loop.makeTimer { [weak self] in self?.backoffEnded() }
    backoffTimer = timer
    let delay = configuration.backoff.delay(
      afterFailures: failures, random: Double.random(in: 0..<1))
    timer.arm(at: loop.now.advanced(by: delay))
  }

  private func backoffEnded() {
    lastFailure = nil
    connectIfNeeded()
  }

  /// The attempt that opened a connection; the others may follow now.
  func connected(_ connection: ClientConnection) {
    connecting -= 1
    failures = 0
    lastFailure = nil
    backoffTimer?.disarm()
    counters.openedConnections.add(1)
    configuration.onConnectionEvent(.opened(connection.info))
    guard !isClosing else {
      leaving.append(connection)
      return connection.closeWhenIdle()
    }
    ready.append(connection)
    pump(connection)
    connectIfNeeded()
    if ready.count >= size { tellOpen(nil) }
  }

  func tellOpen(_ error: RPCError?) {
    let waiting = onOpen
    onOpen = []
    for completion in waiting { completion(error) }
  }

  func tellIfClosed() {
    guard isClosing, ready.isEmpty, leaving.isEmpty, connecting == 0 else { return }
    let waiting = onClosed
    onClosed = []
    for completion in waiting { completion() }
  }
}
