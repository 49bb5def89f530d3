import OnsideClient
import Synchronization

/// Lets the shop wait for what comes of a purchase, but not longer than a person would.
///
/// The time doesn't run while a payment sheet is shown.
final class Outcomes: Sendable {
  /// What somebody waits for.
  enum Subject: Hashable {
    /// The outcome of a purchase, or that somebody has to approve it.
    case purchase(PaymentTransaction.ID)

    /// The offer of a receipt for it.
    case reminder(PaymentTransaction.ID)

    /// Somebody is logged in, or nobody is any more.
    case user

    /// The service knows of a logout.
    case logout

    /// The end of a restore.
    case restore
  }

  private struct Waiter {
    let id: UInt64
    let subject: Subject
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var waiter: Waiter?
    var happened: Set<Subject> = []
    var timer: Task<Void, Never>?
    var sheets = 0
    var waits: UInt64 = 0
  }

  private let state = Mutex(State())
  private let patience: Duration
  private let pause: @Sendable (Duration) async throws -> Void

  /// - Parameters:
  ///   - patience: how long is waited.
  ///   - pause: what waits.
  init(
    patience: Duration,
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.patience = patience
    self.pause = pause
  }

  /// Waits for something, one at a time.
  ///
  /// - Returns: false: it took too long.
  func wait(for subject: Subject) async -> Bool {
    let happened = await withCheckedContinuation { continuation in
      state.withLock { state in
        if state.happened.contains(subject) { return continuation.resume(returning: true) }
        state.waiter?.continuation.resume(returning: false)
        state.waits += 1
        state.waiter = Waiter(id: state.waits, subject: subject, continuation: continuation)
        startTimer(&state)
      }
    }
    forget(subject)
    return happened
  }

  /// It has happened. What nobody has begun to wait for yet is remembered.
  func happened(_ subject: Subject) {
    state.withLock { state in
      state.happened.insert(subject)
      guard let waiter = state.waiter, waiter.subject == subject else { return }
      end(&state, true)
    }
  }

  /// What has happened before doesn't count.
  func forget(_ subject: Subject) {
    state.withLock { _ = $0.happened.remove(subject) }
  }

  /// Whether somebody waits.
  var isAwaited: Bool { state.withLock { $0.waiter != nil } }

  func reminderIsShown(_ id: PaymentTransaction.ID) { happened(.reminder(id)) }

  /// A person pays: that takes as long as it does.
  func sheetIsShown() {
    state.withLock { state in
      state.sheets += 1
      state.timer?.cancel()
      state.timer = nil
    }
  }

  func sheetIsAnswered() {
    state.withLock { state in
      state.sheets -= 1
      startTimer(&state)
    }
  }

  /// Whoever waits is told that it takes too long.
  private func giveUp(_ id: UInt64) {
    state.withLock { if $0.waiter?.id == id { end(&$0, false) } }
  }

  private func startTimer(_ state: inout State) {
    state.timer?.cancel()
    state.timer = nil
    guard let id = state.waiter?.id, state.sheets == 0 else { return }
    state.timer = Task { [pause, patience] in
      guard (try? await pause(patience)) != nil, !Task.isCancelled else { return }
      giveUp(id)
    }
  }

  private func end(_ state: inout State, _ happened: Bool) {
    state.timer?.cancel()
    state.timer = nil
    state.waiter?.continuation.resume(returning: happened)
    state.waiter = nil
  }
}
