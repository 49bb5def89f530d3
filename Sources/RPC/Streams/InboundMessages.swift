import Synchronization

/// The messages of one direction of a call that have come and wait to be taken, one reader, and how
/// the direction ended. From any thread.
///
/// It is bounded by the credit that the peer has: credit goes back only for messages that were
/// taken.
package final class InboundMessages: Sendable {
  /// What a reader gets.
  package enum Next: Sendable {
    /// A message, and how many bytes of credit are to go back now.
    case message(EncodedMessage, credit: Int)
    /// There are no more.
    case end
    /// It broke off.
    case failed(RPCError)
  }

  private struct State {
    var messages: [EncodedMessage?] = []
    var head = 0
    var ending: Next?
    var reader: UnsafeContinuation<Next, Never>?
    /// Bytes that were taken and whose credit hasn't gone back.
    var unreturned = 0
  }

  private let state = Mutex(State())
  private let creditStep: Int

  /// Makes an empty queue.
  ///
  /// - Parameter creditStep: Credit goes back in steps of at least so many bytes.
  package init(creditStep: Int) {
    self.creditStep = creditStep
  }

  // MARK: For the transport

  /// Adds a message, or gives it to the reader that waits for one.
  package func deliver(_ message: EncodedMessage) {
    let reader = state.withLock { state -> (UnsafeContinuation<Next, Never>, Int)? in
      guard state.ending == nil else { return nil }
      if let reader = state.reader {
        state.reader = nil
        return (reader, account(message, &state))
      }
      state.messages.append(message)
      return nil
    }
    if let (reader, credit) = reader {
      reader.resume(returning: .message(message, credit: credit))
    }
  }

  /// No more messages follow those that have come.
  package func end() { finish(.end, dropping: false) }

  /// The direction has broken off. Only the first end counts.
  ///
  /// - Parameter dropping: True: messages that weren't taken are dropped.
  package func fail(_ error: RPCError, dropping: Bool) {
    finish(.failed(error), dropping: dropping)
  }

  private func finish(_ ending: Next, dropping: Bool) {
    let (reader, dropped) = state.withLock { state in
      var dropped: [EncodedMessage?] = []
      if dropping {
        swap(&dropped, &state.messages)
        state.head = 0
        // A failure counts more than a regular end, and the first one most.
        if case .failed = state.ending {} else { state.ending = ending }
      } else if state.ending == nil {
        state.ending = ending
      }
      defer { state.reader = nil }
      return (state.reader, dropped)
    }
    // Freed outside of the lock.
    _ = dropped
    reader?.resume(returning: ending)
  }

  // MARK: For the reader

  /// What is there already; nil: wait for it.
  package func take() -> Next? { state.withLock { pop(&$0) } }

  private func pop(_ state: inout State) -> Next? {
    guard state.head < state.messages.count, let message = state.messages[state.head] else {
      return state.ending
    }
    state.messages[state.head] = nil
    state.head += 1
    if state.head == state.messages.count {
      state.messages.removeAll(keepingCapacity: state.messages.capacity <= 64)
      state.head = 0
    } else if state.head >= 64, state.head * 2 >= state.messages.count {
      state.messages.removeFirst(state.head)
      state.head = 0
    }
    return .message(message, credit: account(message, &state))
  }

  /// The next message, or the end. One task at a time.
  ///
  /// - Parameter onCancel: Called when the waiting task is cancelled, before it goes on.
  package func next(onCancel: @escaping @Sendable () -> Void = {}) async -> Next {
    if let next = take() { return next }
    return await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        if let next = wait(continuation) { continuation.resume(returning: next) }
      }
    } onCancel: {
      onCancel()
      wakeReader(with: .failed(Self.cancelledReader))
    }
  }

  /// Makes a task the reader, or says what it gets at once.
  private func wait(_ continuation: UnsafeContinuation<Next, Never>) -> Next? {
    let next = state.withLock { state -> Next? in
      if let next = pop(&state) { return next }
      guard state.reader == nil else { return .failed(Self.secondReader) }
      state.reader = continuation
      return nil
    }
    // A cancellation before this point found no reader. Whoever takes the reader out of the state
    // resumes it, so that it happens once.
    if next == nil, Task.isCancelled { wakeReader(with: .failed(Self.cancelledReader)) }
    return next
  }

  private func wakeReader(with next: Next) {
    let reader = state.withLock { state in
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume(returning: next)
  }

  /// How much credit goes back for what was taken now and before.
  private func account(_ message: EncodedMessage, _ state: inout State) -> Int {
    // Bounded by the window: no sum of message sizes in memory overflows.
    state.unreturned += message.bytes.count
    guard message.isAssembled || state.unreturned >= creditStep else { return 0 }
    defer { state.unreturned = 0 }
    return state.unreturned
  }

  private static let cancelledReader = RPCError(
    .cancelled, "the task that waits for messages was cancelled", phase: .sent)

  private static let secondReader = RPCError(
    .internal, "two tasks wait for the messages of one call; one may", phase: .sent)
}
