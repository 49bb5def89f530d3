/// The attempts of one call under a ``HedgingPolicy``: events go in, what to do comes out.
///
/// Attempts are numbered from 0 in the order in which they are sent. Events that don't fit the
/// state, those of attempts that lost for instance, are answered with `.none`.
public struct HedgingState: Sendable {
  /// What is to be done.
  public enum Action: Sendable, Hashable {
    /// Send an attempt; so many were sent before. Tell `.timerFired` at the instant, if there is
    /// one, and at no other.
    case attempt(previous: Int, timer: MonotonicInstant?)
    /// Wait for the attempts that are under way, and tell `.timerFired` at the instant, if there is
    /// one, and at no other.
    case wait(timer: MonotonicInstant?)
    /// The caller gets what the attempt of this event ended with; the others are cancelled.
    case end
    /// The caller is told that the call was cancelled; all attempts are cancelled.
    case giveUp
    /// Nothing.
    case none
  }

  private let policy: HedgingPolicy
  private let deadline: MonotonicInstant
  private let most: Int
  private var isOver = false
  private var sent = 0
  private var underWay = 0
  private var timer: MonotonicInstant?
  /// The server asked not to be called again.
  private var isRefused = false

  /// Attempts that weren't sent because too many calls fail.
  public private(set) var throttled = 0

  /// The state of a call that hasn't begun.
  ///
  /// - Parameters:
  ///   - policy: How many attempts, and how far apart.
  ///   - isMarked: Whether the method says itself that it may run twice; if neither it nor the
  ///     policy does, there is one attempt.
  ///   - deadline: When the caller stops waiting.
  public init(_ policy: HedgingPolicy, isMarked: Bool, deadline: MonotonicInstant) {
    self.policy = policy
    self.deadline = deadline
    most = isMarked || policy.repeatsUnmarkedMethods ? max(1, policy.maximumAttempts) : 1
  }

  /// Takes an event.
  ///
  /// - Parameter throttle: Of all the client's calls.
  public mutating func handle(
    _ event: AttemptEvent, throttle: inout RetryThrottle, now: MonotonicInstant
  ) -> Action {
    guard !isOver else { return .none }
    switch event {
    case .start:
      return sent == 0 ? send(now) : .none
    case .timerFired:
      guard timer != nil, sent > 0 else { return .none }
      return sendAnother(throttle, now)
    case .succeeded:
      throttle.succeeded()
      isOver = true
      return .end
    case .failed(let failure):
      return failed(failure, &throttle, now)
    case .cancelled:
      isOver = true
      return .giveUp
    }
  }

  /// Sends an attempt, and plans the next one.
  private mutating func send(_ now: MonotonicInstant) -> Action {
    sent += 1
    underWay += 1
    plan(now.advanced(by: policy.delay))
    return .attempt(previous: sent - 1, timer: timer)
  }

  private mutating func plan(_ instant: MonotonicInstant) {
    timer = sent < most && !isRefused && instant < deadline ? instant : nil
  }

  private mutating func sendAnother(
    _ throttle: RetryThrottle, _ now: MonotonicInstant
  ) -> Action {
    guard sent < most, !isRefused else {
      timer = nil
      return .wait(timer: nil)
    }
    guard throttle.allowsRetry else {
      throttled += 1
      timer = nil
      return .wait(timer: nil)
    }
    return send(now)
  }

  private mutating func failed(
    _ failure: AttemptFailure, _ throttle: inout RetryThrottle, _ now: MonotonicInstant
  ) -> Action {
    guard underWay > 0 else { return .none }
    underWay -= 1
    let isFatal = !policy.nonFatalCodes.contains(failure.code)
    if !isFatal || failure.pushback == .never { throttle.failed() }
    guard !isFatal else {
      isOver = true
      return .end
    }
    switch failure.pushback {
    case .never:
      isRefused = true
      timer = nil
    case .after(let delay): plan(now.advanced(by: delay))
    case nil:
      // There is nothing to wait for any more from this one: the next takes its place.
      if sent < most, !isRefused, throttle.allowsRetry { return send(now) }
      if sent < most, !isRefused { throttled += 1 }
      timer = nil
    }
    if underWay == 0, timer == nil {
      isOver = true
      return .end
    }
    return .wait(timer: timer)
  }
}
