import RPCCore
import Testing

@Suite struct HedgingStateTests {
  private typealias Event = AttemptEvent

  private static func at(_ milliseconds: Int64) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: milliseconds * 1_000_000)
  }

  private static func failed(
    _ code: StatusCode, _ pushback: RetryPushback? = nil
  ) -> Event {
    .failed(AttemptFailure(code, pushback: pushback))
  }

  /// One call: what happens when, and what is to be done about it.
  struct Script: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var isMarked = true
    var policy = HedgingPolicy(maximumAttempts: 3, delay: .milliseconds(10))
    var deadline = HedgingStateTests.at(10_000)
    var failuresBefore = 0
    var steps: [(milliseconds: Int64, event: AttemptEvent, action: HedgingState.Action)]
  }

  static let scripts: [Script] = [
    Script(
      testDescription: "an answer in time",
      steps: [
        (0, .start, .attempt(previous: 0, timer: at(10))), (5, .succeeded, .end),
        (10, .timerFired, .none), (11, .succeeded, .none),
      ]),
    Script(
      testDescription: "one attempt after the other, and the first answer wins",
      steps: [
        (0, .start, .attempt(previous: 0, timer: at(10))),
        (10, .timerFired, .attempt(previous: 1, timer: at(20))),
        (20, .timerFired, .attempt(previous: 2, timer: nil)),
        (25, .succeeded, .end), (26, failed(.internal), .none),
      ]),
    Script(
      testDescription: "all at once", policy: HedgingPolicy(maximumAttempts: 2, delay: .zero),
      steps: [
        (0, .start, .attempt(previous: 0, timer: at(0))),
        (0, .timerFired, .attempt(previous: 1, timer: nil)),
      ]),
    Script(
      testDescription: "a failure brings the next attempt forward",
      steps: [
        (0, .start, .attempt(previous: 0, timer: at(10))),
        (3, failed(.unavailable), .attempt(previous: 1, timer: at(13))),
        (13, .timerFired, .attempt(previous: 2, timer: nil)),
        (14, failed(.unavailable), .wait(timer: nil)), (15, failed(.unavailable), .end),
      ]),
    Script(
      testDescription: "another error ends the call",
      steps: [
        (0, .start, .attempt(previous: 0, timer: at(10))),
        (10, .timerFired, .attempt(previous: 1, timer: at(20))),
        (11, failed(.notFound), .end), (20, .timerFired, .none),
      ]),
    Script(
      testDescription: "the server's delay moves the next attempt",
      steps: [
        (0, .start, .attempt(previous: 0, timer: at(10))),
        (5, failed(.unavailable, .after(.milliseconds(40))), .wait(timer: at(45))),
        (45, .timerFired, .attempt(previous: 1, timer: at(55))),
      ]),
    Script(
      testDescription: "the server asks for no further attempt, while another is under way",
      steps: [
        (0, .start, .attempt(previous: 0, timer: at(10))),
        (10, .timerFired, .attempt(previous: 1, timer: at(20))),
        (11, failed(.unavailable, .never), .wait(timer: nil)), (20, .timerFired, .none),
        (30, failed(.unavailable), .end),
      ]),
    Script(
      testDescription: "the server asks for no further attempt, and there is no other",
      steps: [
        (0, .start, .attempt(previous: 0, timer: at(10))),
        (5, failed(.unavailable, .never), .end),
      ]),
    Script(
      testDescription: "a method that mustn't run twice is sent once", isMarked: false,
      steps: [
        (0, .start, .attempt(previous: 0, timer: nil)), (5, .timerFired, .none),
        (6, failed(.unavailable), .end),
      ]),
    Script(
      testDescription: "a policy may vouch for a method", isMarked: false,
      policy: HedgingPolicy(
        maximumAttempts: 2, delay: .milliseconds(1), repeatsUnmarkedMethods: true),
      steps: [(0, .start, .attempt(previous: 0, timer: at(1)))]),
    Script(
      testDescription: "none while too many calls fail", failuresBefore: 5,
      steps: [
        (0, .start, .attempt(previous: 0, timer: at(10))), (10, .timerFired, .wait(timer: nil)),
        (20, .succeeded, .end),
      ]),
    Script(
      testDescription: "the failure that makes it too many", failuresBefore: 4,
      steps: [
        (0, .start, .attempt(previous: 0, timer: at(10))), (5, failed(.unavailable), .end),
      ]),
    Script(
      testDescription: "none beyond the deadline", deadline: at(10),
      steps: [(0, .start, .attempt(previous: 0, timer: nil))]),
    Script(
      testDescription: "cancelled",
      steps: [
        (0, .start, .attempt(previous: 0, timer: at(10))), (1, .cancelled, .giveUp),
        (10, .timerFired, .none), (11, failed(.unavailable), .none), (12, .start, .none),
      ]),
    Script(
      testDescription: "events out of order do nothing",
      steps: [
        (0, .timerFired, .none), (0, failed(.unavailable), .none),
        (0, .start, .attempt(previous: 0, timer: at(10))), (0, .start, .none),
      ]),
  ]

  @Test(arguments: scripts)
  func follows(_ script: Script) {
    var state = HedgingState(script.policy, isMarked: script.isMarked, deadline: script.deadline)
    var throttle = RetryThrottle(.init(maximumTokens: 10, tokenRatio: 0.1))
    for _ in 0..<script.failuresBefore { throttle.failed() }
    for (number, step) in script.steps.enumerated() {
      let action = state.handle(
        step.event, throttle: &throttle, now: Self.at(step.milliseconds))
      #expect(action == step.action, "step \(number): \(step.event)")
    }
  }
}
