/// Lines that a person reads and writes.
public protocol Terminal: Sendable {
  /// Shows text as it is; it ends where a person goes on.
  func write(_ text: String) async

  /// The next line without its end; nil: there are no more.
  func readLine() async -> String?
}

/// Lets one screen at a time have the terminal, in the order in which they came.
actor TerminalTurns {
  private var isTaken = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  func take() async {
    guard isTaken else {
      isTaken = true
      return
    }
    await withCheckedContinuation { waiters.append($0) }
  }

  func give() {
    if waiters.isEmpty {
      isTaken = false
    } else {
      waiters.removeFirst().resume()
    }
  }
}
