import RPC
import RPCCore
import RPCTransport
import Synchronization

/// A client's connections on one event loop, and the calls that wait for one.
///
/// Its properties do without checks of exclusive access where every call passes by: nothing holds
/// one while it tells a call its outcome.
///
/// Confined to its loop, but for `begin`, `cancel` and the inbox behind them. Connections are made
/// when a call needs one, or all at once when asked for.
final class ClientPool: @unchecked Sendable {
  let loop: EventLoop

  /// Connections that take calls.
  @exclusivity(unchecked) var ready: [ClientConnection] = []
  @exclusivity(unchecked) var waiting = CallQueue()
  @exclusivity(unchecked) var picker: Picker
  @exclusivity(unchecked) var isClosing = false

  /// In nanoseconds; the largest number is none.
  private let defaultTimeout: Int64

  // What each call passes by is above, so that it lies together.

  let configuration: ClientConfiguration
  let dialer: Dialer
  let directory: AddressDirectory
  let counters = ClientCounters()

  /// False: the pool is over when its connection is.
  let reconnects: Bool

  /// Connections that only finish the calls they have.
  var leaving: [ClientConnection] = []

  /// All connections that are open.
  var members: [ObjectIdentifier: PoolMember] = [:]

  /// Connections are made whether or not a call waits.
  var isEager = false
  var onOpen: [@Sendable (RPCError?) -> Void] = []
  var onClosed: [@Sendable () -> Void] = []

  /// Told when the pool is closed that closes as soon as no call waits.
  var onServed: [@Sendable () -> Void] = []

  // Addresses and attempts to connect.
  var book: AddressBook<Target>
  var attempts: [Int: Attempt] = [:]
  var lastAttempt = 0
  var lookUp = LookUp()

  /// Why the last attempt failed, for calls that don't wait while all have to.
  var lastFailure: RPCError?

  // Upkeep. Timers keep the pool until it is closed: weak references to it would make counting all
  // others slower for good, and each call takes some.
  var idleWatch: IdleWatch?
  let age: ConnectionAge
  var upkeepTimer: LoopTimer?
  var dialTimer: LoopTimer?

  /// Calls under a policy that wait for the time of their next attempt.
  var pausing: [ObjectIdentifier: RepeatedCall] = [:]

  var queueTimer: LoopTimer?
  var queueInstant = MonotonicInstant.distantFuture
  var pumpTimer: LoopTimer?
  private let inbox = Mutex<[OutgoingCall]>([])

  init(
    _ loop: EventLoop, _ configuration: ClientConfiguration, dialer: Dialer,
    directory: AddressDirectory, size: Int, reconnects: Bool = true
  ) {
    self.loop = loop
    self.configuration = configuration
    self.dialer = dialer
    self.directory = directory
    self.reconnects = reconnects
    defaultTimeout = configuration.defaultTimeout?.saturatedNanoseconds ?? .max
    picker = Picker(configuration.balancing)
    book = AddressBook(
      AddressBook.Plan(
        balancing: configuration.balancing, size: size, backoff: configuration.backoff,
        stagger: configuration.addressStagger))
    idleWatch = configuration.idleTimeout.map { IdleWatch(timeout: $0) }
    age = ConnectionAge(
      maximum: configuration.maximumConnectionAge, jitter: configuration.connectionAgeJitter)
  }

  // MARK: Any thread

  /// Sets a call's deadline and takes it.
  func begin(_ call: OutgoingCall) {
    setDeadline(of: call)
    take(call)
  }

  /// Sets when the caller stops waiting.
  func setDeadline(of call: OutgoingCall) {
    call.setDeadline(fallback: fallbackTimeout(call)) {
      loop.isCurrent ? loop.now : MonotonicInstant.now
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

  /// A call with many responses has no timeout unless its caller says one.
  private func fallbackTimeout(_ call: OutgoingCall) -> Int64 {
    call.isStream && call.method.shape.hasManyResponses ? .max : defaultTimeout
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
    if waiting.isEmpty, let connection = pick() {
      if connection.open(call) == .taken { return }
      if openElsewhere(call, than: connection) { return }
    }
    enqueue(call)
  }

  /// A connection that takes calls.
  private func pick() -> ClientConnection? {
    guard ready.count > 1 else { return ready.first }
    return ready[picker.pick(ready.count) { ready[$0].callCount }]
  }

  /// Opens a call on another connection than the one that didn't take it.
  func openElsewhere(_ call: OutgoingCall, than connection: ClientConnection) -> Bool {
    for other in ready where other !== connection && other.takesCalls {
      if other.open(call) == .taken { return true }
    }
    return false
  }

  func fail(_ call: OutgoingCall, _ code: StatusCode, _ text: String) {
    call.finish()
    call.failed(RPCError(code, text, phase: .queued, wasStarted: false))
  }

  // MARK: Calls between two attempts

  func pauses(_ call: RepeatedCall) { pausing[ObjectIdentifier(call)] = call }

  func resumes(_ call: RepeatedCall) {
    if !pausing.isEmpty { pausing[ObjectIdentifier(call)] = nil }
  }

  /// There are to be no further attempts.
  func endPausing() {
    let calls = pausing.values
    pausing = [:]
    for call in calls { call.poolCloses() }
  }
}
