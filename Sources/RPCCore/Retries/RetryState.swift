/// The attempts of one call under a ``RetryPolicy``: events go in, what to do comes out.
///
/// It reads no clock and draws no random numbers. Events that don't fit its state, those that come
/// after the call's end for instance, are answered with `.none`.
public struct RetryState: Sendable {
  /// What is to be done.
  public enum Action: Sendable, Hashable {
    /// Send the call; so many attempts have been made before.
    case attempt(previous: Int)
    /// Tell `.timerFired` at this instant.
    case wait(until: MonotonicInstant)
    /// The caller gets what the attempt ended with.
    case end(Reason)
    /// The caller is told that the call was cancelled; the attempt, if one is under way, is
    /// cancelled.
    case giveUp
    /// Nothing.
    case none
  }

  /// Why there is no further attempt.
  public enum Reason: Sendable, Hashable {
    /// It succeeded.
    case answered
    /// The code isn't among those that the policy retries.
    case otherCode
    /// It may have run, and nobody says that it may run twice.
    case mayHaveRun
    /// As many attempts as the policy allows were made.
    case attemptsSpent
    /// Too many calls fail: see ``RetryThrottle``.
    case throttled
    /// The server asked not to be called again.
    case serverRefuses
    /// The next attempt would begin after the call's deadline.
    case deadlineTooNear
  }

  private enum Phase {
    case idle
    case attempting
    case waiting
    case over
  }

  private let policy: RetryPolicy
  private let mayRunTwice: Bool
  private let deadline: MonotonicInstant
  private var phase = Phase.idle
  private var attempts = 0
  /// Failures since the beginning, or since the server last said how long to wait.
  private var backoffStep = 0

  /// The state of a call that hasn't begun.
  ///
  /// - Parameters:
  ///   - policy: How often, when and after what.
  ///   - isMarked: Whether the method says itself that it may run twice.
  ///   - deadline: When the caller stops waiting.
  public init(_ policy: RetryPolicy, isMarked: Bool, deadline: MonotonicInstant) {
    self.policy = policy
    mayRunTwice = isMarked || policy.repeatsUnmarkedMethods
    self.deadline = deadline
  }

  /// Takes an event.
  ///
  /// - Parameters:
  ///   - throttle: Of all the client's calls.
  ///   - random: In 0..<1, for the spread of the wait.
  public mutating func handle(
    _ event: AttemptEvent, throttle: inout RetryThrottle, now: MonotonicInstant, random: Double
  ) -> Action {
    switch (event, phase) {
    case (.start, .idle), (.timerFired, .waiting):
      phase = .attempting
      attempts += 1
      return .attempt(previous: attempts - 1)
    case (.succeeded, .attempting):
      throttle.succeeded()
      return end(.answered)
    case (.failed(let failure), .attempting):
      return failed(failure, &throttle, now, random)
    case (.cancelled, .attempting), (.cancelled, .waiting), (.cancelled, .idle):
      phase = .over
      return .giveUp
    default:
      return .none
    }
  }

  private mutating func end(_ reason: Reason) -> Action {
    phase = .over
    return .end(reason)
  }

  private mutating func failed(
    _ failure: AttemptFailure, _ throttle: inout RetryThrottle, _ now: MonotonicInstant,
    _ random: Double
  ) -> Action {
    guard policy.codes.contains(failure.code) else {
      if failure.pushback == .never { throttle.failed() }
      return end(.otherCode)
    }
    throttle.failed()
    guard mayRunTwice || !failure.wasStarted else { return end(.mayHaveRun) }
    guard attempts < policy.maximumAttempts else { return end(.attemptsSpent) }
    guard throttle.allowsRetry else { return end(.throttled) }
    let delay: Duration
    switch failure.pushback {
    case .never: return end(.serverRefuses)
    case .after(let asked):
      delay = asked
      backoffStep = 0
    case nil:
      backoffStep += 1
      delay = policy.backoff.delay(afterFailures: backoffStep, random: random)
    }
    let next = now.advanced(by: delay)
    guard next < deadline else { return end(.deadlineTooNear) }
    phase = .waiting
    return .wait(until: next)
  }
}
