import RPCCore

// What the two kinds of state machines ask for, in one form.

extension RepeatedCall {
  enum Step {
    case attempt(previous: Int, timer: MonotonicInstant?)
    case wait(MonotonicInstant?)
    case end
    case giveUp
    case none
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
