import Synchronization

/// Waits for the loops of a server that drains.
final class DrainOutcome: Sendable {
  let continuation = Mutex<CheckedContinuation<Bool, Never>?>(nil)
  private let left: Atomic<Int>

  init(_ loops: Int) {
    left = Atomic(loops)
  }

  /// One loop has no connections any more.
  func loopIsEmpty() {
    if left.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 { end(true) }
  }

  /// Ends the wait, once.
  ///
  /// - Returns: True when this call ended it.
  @discardableResult
  func end(_ isComplete: Bool) -> Bool {
    let waiting = continuation.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }
    waiting?.resume(returning: isComplete)
    return waiting != nil
  }
}
