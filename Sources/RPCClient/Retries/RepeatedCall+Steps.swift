import RPCCore

// The two kinds of state machines, in one form.

extension RepeatedCall {
  enum Event {
    case start
    case succeeded
    case failed(AttemptFailure)
    case timerFired
    case cancelled
  }

  enum Step {
    case attempt(previous: Int, timer: MonotonicInstant?)
    case wait(MonotonicInstant?)
    case end
    case giveUp
    case none
  }
}

extension RepeatedCall.Event {
  var forRetries: RetryState.Event {
    switch self {
    case .start: .start
    case .succeeded: .succeeded
    case .failed(let failure): .failed(failure)
    case .timerFired: .timerFired
    case .cancelled: .cancelled
    }
  }

  var forHedges: HedgingState.Event {
    switch self {
    case .start: .start
    case .succeeded: .succeeded
    case .failed(let failure): .failed(failure)
    case .timerFired: .timerFired
    case .cancelled: .cancelled
    }
  }
}

extension RepeatedCall.Step {
  init(_ action: RetryState.Action) {
    switch action {
    case .attempt(let previous): self = .attempt(previous: previous, timer: nil)
    case .wait(let instant): self = .wait(instant)
    case .end: self = .end
    case .giveUp: self = .giveUp
    case .none: self = .none
    }
  }

  init(_ action: HedgingState.Action) {
    switch action {
    case .attempt(let previous, let timer): self = .attempt(previous: previous, timer: timer)
    case .wait(let timer): self = .wait(timer)
    case .end: self = .end
    case .giveUp: self = .giveUp
    case .none: self = .none
    }
  }
}
