import RPC
import Synchronization

/// The counters of one pool: written on its loop, read from anywhere.
final class ClientCounters: Sendable {
  /// Calls that were put on a connection, whoever made them.
  let attempts = Counter()
  /// Of these, the pool's own questions.
  let asides = Counter()
  let retries = Counter()
  let hedges = Counter()
  let throttled = Counter()
  let transparentRetries = Counter()
  let expiredInQueue = Counter()
  let openedConnections = Counter()
  let closedConnections = Counter()
  private let failures = Mutex<[RPCError.Phase: Int]>([:])

  /// Counts an attempt to connect that failed.
  func countFailure(_ phase: RPCError.Phase) {
    failures.withLock { $0[phase, default: 0] += 1 }
  }

  /// Calls of the client's users that were put on a connection.
  var usersAttempts: Int { attempts.value - asides.value }

  /// Adds these counts to a sum.
  func add(to sum: inout ClientMetrics) {
    sum.attempts += usersAttempts
    sum.retries += retries.value
    sum.hedges += hedges.value
    sum.throttled += throttled.value
    sum.transparentRetries += transparentRetries.value
    sum.expiredInQueue += expiredInQueue.value
    sum.openedConnections += openedConnections.value
    sum.closedConnections += closedConnections.value
    let failures = failures.withLock { $0 }
    sum.failedConnections.merge(failures, uniquingKeysWith: +)
  }
}
