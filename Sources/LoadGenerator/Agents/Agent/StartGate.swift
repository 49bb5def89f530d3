import Synchronization

/// Where an agent's load waits until it is told when to begin.
final class StartGate: Sendable {
  private enum State {
    case closed
    case waiting(CheckedContinuation<UInt64?, Never>)

    /// Nil: there is to be no load.
    case told(UInt64?)
  }

  private let state = Mutex(State.closed)

  /// Says when to begin; nil: not at all. What was said first counts, except that a load can always
  /// be called off.
  func tell(_ instant: UInt64?) {
    let waiting = state.withLock { state -> CheckedContinuation<UInt64?, Never>? in
      switch state {
      case .waiting(let continuation):
        state = .told(instant)
        return continuation
      case .closed:
        state = .told(instant)
      case .told:
        if instant == nil { state = .told(nil) }
      }
      return nil
    }
    waiting?.resume(returning: instant)
  }

  /// Whether the load was called off.
  var isCalledOff: Bool {
    state.withLock { state in
      if case .told(nil) = state { true } else { false }
    }
  }

  /// Waits for the instant. By one task only.
  func wait() async -> UInt64? {
    await withCheckedContinuation { continuation in
      let told = state.withLock { state -> UInt64?? in
        if case .told(let instant) = state { return .some(instant) }
        state = .waiting(continuation)
        return nil
      }
      if let told { continuation.resume(returning: told) }
    }
  }
}
