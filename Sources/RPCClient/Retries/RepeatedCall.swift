import RPC
import RPCCore
import RPCTransport

/// A call that has a policy, from its start to its end: makes the attempts that the policy's state
/// machine asks for, and tells the caller one outcome.
///
/// Confined to its pool's loop, but for `begin` and `cancel`. All attempts are made there.
final class RepeatedCall: CallCanceller, @unchecked Sendable {
  /// The state machine of the call's policy.
  enum Attempts {
    case retries(RetryState)
    case hedges(HedgingState)
  }

  private var attempts: Attempts
  private let pool: ClientPool
  private let shared: Repetition

  /// Let go of at the end: the call holds this object as what cancels it.
  private var call: OutgoingCall?
  private var underWay: [AttemptCall] = []
  private var timer: LoopTimer?

  /// What the last attempt ended with, while the next one has to wait.
  private var lastError: RPCError?

  init(_ call: OutgoingCall, _ attempts: Attempts, _ pool: ClientPool, _ shared: Repetition) {
    self.call = call
    self.attempts = attempts
    self.pool = pool
    self.shared = shared
  }

  // MARK: Any thread

  func begin() {
    guard let call else { return }
    guard call.begin(self) else {
      self.call = nil
      call.finish()
      return call.failed(OutgoingCall.givenUp)
    }
    onLoop { self.perform(self.decide(.start), .givenUp) }
  }

  func cancel(_ call: OutgoingCall) {
    onLoop { self.perform(self.decide(.cancelled), .givenUp) }
  }

  private func onLoop(_ work: @escaping @Sendable () -> Void) {
    if pool.loop.isCurrent { work() } else { pool.loop.post(work) }
  }

  // MARK: Events

  func attemptSucceeded(
    _ attempt: AttemptCall, _ response: UnsafeRawBufferPointer, _ trailers: Metadata
  ) {
    underWay.removeAll { $0 === attempt }
    perform(decide(.succeeded), .response(response, attempt.initialMetadata, trailers))
  }

  func attemptFailed(_ attempt: AttemptCall, _ error: RPCError) {
    underWay.removeAll { $0 === attempt }
    lastError = error
    if pool.isClosing {
      // No further attempts; those that are under way may still be answered.
      return underWay.isEmpty ? end(.error(error)) : ()
    }
    let failure = AttemptFailure(
      error.code, wasStarted: error.wasStarted, pushback: error.pushback)
    perform(decide(.failed(failure)), .error(error))
  }

  /// The client takes no more calls: there is no next attempt to wait for.
  func poolCloses() {
    guard underWay.isEmpty else { return }
    end(.error(lastError ?? RPCError(.unavailable, "the client is closed", phase: .queued)))
  }

  private func timerFired() {
    perform(decide(.timerFired), .givenUp)
  }

  // MARK: Decisions

  /// What the caller is told when the step is an end.
  private enum Outcome {
    case response(UnsafeRawBufferPointer, Metadata?, Metadata)
    case error(RPCError)
    case givenUp
  }

  private func decide(_ event: AttemptEvent) -> Step {
    switch attempts {
    case .retries(var state):
      let action = shared.withThrottle {
        state.handle(
          event, throttle: &$0, now: pool.loop.now, random: Double.random(in: 0..<1))
      }
      attempts = .retries(state)
      if action == .end(.throttled) { pool.counters.throttled.add(1) }
      return Step(action)
    case .hedges(var state):
      let before = state.throttled
      let action = shared.withThrottle {
        state.handle(event, throttle: &$0, now: pool.loop.now)
      }
      attempts = .hedges(state)
      pool.counters.throttled.add(state.throttled - before)
      return Step(action)
    }
  }

  private func perform(_ step: Step, _ outcome: Outcome) {
    switch step {
    case .attempt(let previous, let instant):
      arm(instant)
      makeAttempt(previous)
    case .wait(let instant):
      arm(instant)
      if underWay.isEmpty { pool.pauses(self) }
    case .end: end(outcome)
    case .giveUp: end(.givenUp)
    case .none: break
    }
  }

  private func arm(_ instant: MonotonicInstant?) {
    guard let instant else {
      timer?.disarm()
      return
    }
    let timer = timer ?? pool.loop.makeTimer { [weak self] in self?.timerFired() }
    self.timer = timer
    timer.arm(at: instant)
  }

  private func makeAttempt(_ previous: Int) {
    guard let call else { return }
    pool.resumes(self)
    if previous > 0 {
      switch attempts {
      case .retries: pool.counters.retries.add(1)
      case .hedges: pool.counters.hedges.add(1)
      }
    }
    let attempt = AttemptCall(call, number: previous, owner: self)
    underWay.append(attempt)
    pool.take(attempt)
  }

  /// Tells the caller, once.
  private func end(_ outcome: Outcome) {
    guard let call else { return }
    self.call = nil
    timer?.disarm()
    timer = nil
    pool.resumes(self)
    let others = underWay
    underWay = []
    for attempt in others { attempt.abandon() }
    switch outcome {
    case .response(let response, let initial, let trailers):
      call.initialMetadata = initial
      call.finish()
      call.succeeded(response, trailingMetadata: trailers)
    case .error(let error):
      call.finish()
      call.failed(error)
    case .givenUp:
      call.finish()
      call.failed(OutgoingCall.givenUp)
    }
  }
}
