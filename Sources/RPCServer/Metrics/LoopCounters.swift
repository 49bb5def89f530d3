import RPC
import RPCTransport
import Synchronization

/// The counters of one loop: written on it, read from anywhere.
///
/// One writer makes a load and a store enough, which is a fifth of an atomic addition's cost.
final class LoopCounters: Sendable {
  let calls: CallCounters
  let immediateCalls = Counter()
  let runningHandlers = Counter()
  let cancelledCalls = Counter()
  let expiredCalls = Counter()
  let notStartedCalls = Counter()
  let acceptedConnections = Counter()
  let openConnections = Counter()
  let truncatedConnections = Counter()
  let truncatedFrames = Counter()
  let idleConnections = Counter()
  let agedConnections = Counter()
  let outlivedConnections = Counter()
  let receivedBytes = Counter()
  let sentBytes = Counter()
  let hiddenErrors = Counter()
  /// Counted by workers, unlike the others.
  let unstartedCalls = Atomic<Int>(0)
  /// Counted by the watchdog.
  let slowHandlers = Atomic<Int>(0)
  private let violations = Mutex<[String: Int]>([:])
  private let ends = Mutex<[String: Int]>([:])

  init(_ methods: [RegisteredMethod]) {
    calls = CallCounters(methods)
  }

  /// Changes with every call that comes, is answered or begins to run.
  var progress: Int { calls.sum &+ immediateCalls.value &+ runningHandlers.value }

  /// Counts a connection that broke a rule.
  func countViolation(_ rule: String) {
    violations.withLock { $0[rule, default: 0] += 1 }
  }

  /// Counts a connection that has ended.
  func countEnd(_ end: ChannelEnd) {
    if end.unconsumedBytes > 0 { truncatedFrames.add(1) }
    if end.code == .truncated || end.unconsumedBytes > 0 { truncatedConnections.add(1) }
    ends.withLock { $0[end.code.rawValue, default: 0] += 1 }
  }

  /// Adds these counts to a sum.
  func add(to sum: inout ServerMetrics) {
    calls.add(to: &sum)
    sum.immediateCalls += immediateCalls.value
    sum.runningHandlers += runningHandlers.value
    sum.cancelledCalls += cancelledCalls.value
    sum.expiredCalls += expiredCalls.value
    sum.notStartedCalls += notStartedCalls.value
    sum.acceptedConnections += acceptedConnections.value
    sum.openConnections += openConnections.value
    sum.truncatedConnections += truncatedConnections.value
    sum.truncatedFrames += truncatedFrames.value
    sum.idleConnections += idleConnections.value
    sum.agedConnections += agedConnections.value
    sum.outlivedConnections += outlivedConnections.value
    sum.receivedBytes += receivedBytes.value
    sum.sentBytes += sentBytes.value
    sum.hiddenErrors += hiddenErrors.value
    sum.slowHandlers += slowHandlers.load(ordering: .relaxed)
    sum.unstartedCalls += unstartedCalls.load(ordering: .relaxed)
    let violations = violations.withLock { $0 }
    sum.violations.merge(violations, uniquingKeysWith: +)
    let ends = ends.withLock { $0 }
    sum.connectionEnds.merge(ends, uniquingKeysWith: +)
  }
}

/// A number that one thread changes and all may read.
final class Counter: Sendable {
  private let number = Atomic<Int>(0)

  var value: Int { number.load(ordering: .relaxed) }

  /// Adds; on the writer's thread only.
  func add(_ amount: Int) {
    number.store(number.load(ordering: .relaxed) + amount, ordering: .relaxed)
  }
}
