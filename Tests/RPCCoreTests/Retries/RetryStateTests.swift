import RPCCore
import Testing

@Suite struct RetryStateTests {
  private typealias Event = AttemptEvent
  private typealias Action = RetryState.Action

  /// The instant so many milliseconds after the start.
  private static func at(_ milliseconds: Int64) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: milliseconds * 1_000_000)
  }

  private static let policy = RetryPolicy(
    maximumAttempts: 3,
    backoff: Backoff(initial: .milliseconds(100), maximum: .seconds(1), factor: 2, jitter: 0.2),
    codes: [.unavailable, .aborted])

  private static func failed(
    _ code: StatusCode, wasStarted: Bool = true, _ pushback: RetryPushback? = nil
  ) -> Event {
    .failed(AttemptFailure(code, wasStarted: wasStarted, pushback: pushback))
  }

  /// One call: what happens when, and what is to be done about it.
  struct Script: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var isMarked = true
    var policy = RetryStateTests.policy
    var deadline = RetryStateTests.at(10_000)
    /// Failures of other calls before.
    var failuresBefore = 0
    var random = 0.5
    var steps: [(milliseconds: Int64, event: AttemptEvent, action: RetryState.Action)]
  }

  static let scripts: [Script] = [
    Script(
      testDescription: "a call that succeeds at once",
      steps: [
        (0, .start, .attempt(previous: 0)), (5, .succeeded, .end(.answered)),
        (6, .succeeded, .none), (7, .timerFired, .none), (8, .cancelled, .none),
      ]),
    Script(
      testDescription: "waits grow, and the attempts end",
      steps: [
        (0, .start, .attempt(previous: 0)),
        (10, failed(.unavailable), .wait(until: at(110))),
        (110, .timerFired, .attempt(previous: 1)),
        (120, failed(.aborted), .wait(until: at(320))),
        (320, .timerFired, .attempt(previous: 2)),
        (330, failed(.unavailable), .end(.attemptsSpent)),
      ]),
    Script(
      testDescription: "the least wait", random: 0,
      steps: [
        (0, .start, .attempt(previous: 0)), (0, failed(.unavailable), .wait(until: at(80))),
      ]),
    Script(
      testDescription: "a success after a retry",
      steps: [
        (0, .start, .attempt(previous: 0)), (0, failed(.unavailable), .wait(until: at(100))),
        (100, .timerFired, .attempt(previous: 1)), (101, .succeeded, .end(.answered)),
      ]),
    Script(
      testDescription: "other codes aren't retried",
      steps: [
        (0, .start, .attempt(previous: 0)), (1, failed(.notFound), .end(.otherCode)),
      ]),
    Script(
      testDescription: "what may have run isn't repeated unless it is marked", isMarked: false,
      steps: [
        (0, .start, .attempt(previous: 0)), (1, failed(.unavailable), .end(.mayHaveRun)),
      ]),
    Script(
      testDescription: "what wasn't started is repeated in any case", isMarked: false,
      steps: [
        (0, .start, .attempt(previous: 0)),
        (0, failed(.unavailable, wasStarted: false), .wait(until: at(100))),
        (100, .timerFired, .attempt(previous: 1)),
        (101, failed(.unavailable), .end(.mayHaveRun)),
      ]),
    Script(
      testDescription: "a policy may vouch for a method", isMarked: false,
      policy: RetryPolicy(
        maximumAttempts: 2,
        backoff: Backoff(initial: .milliseconds(100), maximum: .seconds(1), jitter: 0),
        repeatsUnmarkedMethods: true),
      steps: [
        (0, .start, .attempt(previous: 0)), (0, failed(.unavailable), .wait(until: at(100))),
      ]),
    Script(
      testDescription: "the server's delay replaces the back-off, which begins anew",
      steps: [
        (0, .start, .attempt(previous: 0)),
        (0, failed(.unavailable, .after(.milliseconds(7))), .wait(until: at(7))),
        (7, .timerFired, .attempt(previous: 1)),
        (7, failed(.unavailable), .wait(until: at(107))),
      ]),
    Script(
      testDescription: "the server asks for no retry",
      steps: [
        (0, .start, .attempt(previous: 0)),
        (0, failed(.unavailable, .never), .end(.serverRefuses)),
      ]),
    Script(
      testDescription: "nobody waits beyond the deadline", deadline: at(100),
      steps: [
        (0, .start, .attempt(previous: 0)), (0, failed(.unavailable), .end(.deadlineTooNear)),
      ]),
    Script(
      testDescription: "the deadline counts for the server's delay, too", deadline: at(100),
      steps: [
        (0, .start, .attempt(previous: 0)),
        (0, failed(.unavailable, .after(.seconds(1 << 40))), .end(.deadlineTooNear)),
      ]),
    Script(
      testDescription: "no retry while too many calls fail", failuresBefore: 4,
      steps: [
        (0, .start, .attempt(previous: 0)), (0, failed(.unavailable), .end(.throttled)),
      ]),
    Script(
      testDescription: "cancelled during an attempt",
      steps: [
        (0, .start, .attempt(previous: 0)), (1, .cancelled, .giveUp),
        (2, failed(.unavailable), .none), (3, .succeeded, .none),
      ]),
    Script(
      testDescription: "cancelled between attempts",
      steps: [
        (0, .start, .attempt(previous: 0)), (0, failed(.unavailable), .wait(until: at(100))),
        (1, .cancelled, .giveUp), (100, .timerFired, .none),
      ]),
    Script(
      testDescription: "events out of order do nothing",
      steps: [
        (0, .timerFired, .none), (0, .succeeded, .none), (0, failed(.unavailable), .none),
        (0, .start, .attempt(previous: 0)), (0, .start, .none), (0, .timerFired, .none),
        (0, failed(.unavailable), .wait(until: at(100))), (1, .succeeded, .none),
        (1, failed(.unavailable), .none),
      ]),
  ]

  @Test(arguments: scripts)
  func follows(_ script: Script) {
    var state = RetryState(script.policy, isMarked: script.isMarked, deadline: script.deadline)
    var throttle = RetryThrottle(.init(maximumTokens: 10, tokenRatio: 0.1))
    for _ in 0..<script.failuresBefore { throttle.failed() }
    for (number, step) in script.steps.enumerated() {
      let action = state.handle(
        step.event, throttle: &throttle, now: Self.at(step.milliseconds), random: script.random)
      #expect(action == step.action, "step \(number): \(step.event)")
    }
  }

  /// What each outcome does to the throttle: tokens afterwards, of 10.
  @Test(arguments: [
    (Event.succeeded, 10.0), (failed(.unavailable), 9), (failed(.notFound), 10),
    (failed(.notFound, .never), 9), (.cancelled, 10),
  ])
  func outcomesThatTheThrottleCounts(event: AttemptEvent, tokens: Double) {
    var state = RetryState(Self.policy, isMarked: true, deadline: .distantFuture)
    var throttle = RetryThrottle(.init(maximumTokens: 10, tokenRatio: 0.1))
    _ = state.handle(.start, throttle: &throttle, now: Self.at(0), random: 0)
    _ = state.handle(event, throttle: &throttle, now: Self.at(0), random: 0)
    #expect(throttle.tokens == tokens)
  }
}
