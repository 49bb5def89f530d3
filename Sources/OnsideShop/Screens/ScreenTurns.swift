import Synchronization

/// Lets one screen at a time ask the person something, in the order in which they came.
///
/// A list that waits for a choice may wait for hours. It makes room at once for a screen that comes
/// meanwhile, and is shown again behind it.
final class ScreenTurns: Sendable {
  private struct State {
    var isTaken = false
    var waiters: [CheckedContinuation<Void, Never>] = []

    /// Gives up what has the turn now, if that makes room for others.
    var interrupt: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// Whether something is being asked.
  var isTaken: Bool { state.withLock { $0.isTaken } }

  /// How many screens wait for their turn.
  var waiting: Int { state.withLock { $0.waiters.count } }

  /// Asks something that is answered before anything else is asked.
  func use<Answer: Sendable>(_ ask: () async -> Answer) async -> Answer {
    await take()
    let answer = await ask()
    give()
    return answer
  }

  /// Asks something in a task that is cancelled as soon as another screen wants the turn.
  func useUntilWanted<Answer: Sendable>(
    _ ask: @escaping @Sendable () async -> Answer
  ) async -> Answer {
    await take()
    let asking = Task { await ask() }
    let isWanted = state.withLock { state in
      state.interrupt = { asking.cancel() }
      return !state.waiters.isEmpty
    }
    if isWanted { asking.cancel() }
    let answer = await withTaskCancellationHandler {
      await asking.value
    } onCancel: {
      asking.cancel()
    }
    give()
    return answer
  }

  /// Gives up a question that makes room for others: what it is about has changed.
  func refresh() {
    state.withLock { $0.interrupt }?()
  }

  private func take() async {
    await withCheckedContinuation { continuation in
      let interrupt: (@Sendable () -> Void)? = state.withLock { state in
        guard state.isTaken else {
          state.isTaken = true
          continuation.resume()
          return nil
        }
        state.waiters.append(continuation)
        return state.interrupt
      }
      interrupt?()
    }
  }

  private func give() {
    let next = state.withLock { state in
      state.interrupt = nil
      guard let next = state.waiters.first else {
        state.isTaken = false
        return CheckedContinuation<Void, Never>?.none
      }
      state.waiters.removeFirst()
      return next
    }
    next?.resume()
  }
}
