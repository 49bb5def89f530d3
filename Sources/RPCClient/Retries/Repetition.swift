import RPC
import RPCCore
import Synchronization

/// What all calls of a client that have a policy share.
final class Repetition: Sendable {
  let policies: CallPolicies
  private let throttle: Mutex<RetryThrottle?>

  /// Nil when there is no policy.
  init?(_ configuration: ClientConfiguration) {
    guard !configuration.policies.areTrivial else { return nil }
    policies = configuration.policies
    throttle = Mutex(configuration.retryThrottle.map { RetryThrottle($0) })
  }

  /// Begins a call under its policy; false when it has none. From any thread.
  ///
  /// Only calls with one request and one response have policies: a stream can't be sent again.
  func start(_ call: OutgoingCall, on pool: ClientPool) -> Bool {
    let method = call.method
    guard method.shape == .unary else { return false }
    let policy = policies.policy(service: method.service, path: method.path)
    guard policy != .once else { return false }
    pool.setDeadline(of: call)
    let isMarked = method.idempotency.allowsRepetition
    let attempts: RepeatedCall.Attempts
    switch policy {
    case .once: return false
    case .retry(let policy):
      attempts = .retries(RetryState(policy, isMarked: isMarked, deadline: call.deadline))
    case .hedge(let policy):
      attempts = .hedges(HedgingState(policy, isMarked: isMarked, deadline: call.deadline))
    }
    RepeatedCall(call, attempts, pool, self).begin()
    return true
  }

  /// Lets a decision see and change the throttle; without one it sees a full bucket, which never
  /// stops anything.
  func withThrottle<Result: Sendable>(_ decide: (inout RetryThrottle) -> Result) -> Result {
    throttle.withLock { throttle in
      var used = throttle ?? RetryThrottle()
      defer { if throttle != nil { throttle = used } }
      return decide(&used)
    }
  }
}
