/// One question that is asked at most once at a time, and can be called off.
///
/// The answer comes on the main actor, never within `ask` or `cancel`. Releasing the question
/// cancels it, and then there is no answer.
@MainActor final class Question<Answer: Sendable> {
  private var task: Task<Void, Never>?

  /// Grows with each question and each cancellation: an answer to another one is dropped.
  private var turn = 0

  deinit { task?.cancel() }

  /// Asks, unless an answer is under way.
  func ask(
    _ question: @escaping @Sendable () async -> Answer,
    _ take: @escaping @MainActor (Answer) -> Void
  ) {
    guard task == nil else { return }
    turn += 1
    let asked = turn
    task = Task { @MainActor [weak self] in
      let answer = await question()
      guard let self, self.turn == asked else { return }
      self.task = nil
      take(answer)
    }
  }

  /// Calls the question off, if an answer is under way, and answers it with `substitute`.
  func cancel(_ substitute: Answer, _ take: @escaping @MainActor (Answer) -> Void) {
    guard let running = task else { return }
    running.cancel()
    turn += 1
    task = nil
    Task { @MainActor [weak self] in
      // Released meanwhile: nobody waits any more.
      guard self != nil else { return }
      take(substitute)
    }
  }
}
