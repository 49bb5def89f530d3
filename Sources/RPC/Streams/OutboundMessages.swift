import Synchronization

/// One direction of a call towards the peer: tasks that wait until there is room, and messages that
/// were sent from other threads than the call's own. From any thread.
@usableFromInline
package final class OutboundMessages: Sendable {
  /// An encoded message on its way to the call's thread.
  @usableFromInline
  package struct Handover: Sendable {
    var bytes: [UInt8]
    var compression: MessageCompression?

    @usableFromInline
    init(_ bytes: [UInt8], _ compression: MessageCompression?) {
      self.bytes = bytes
      self.compression = compression
    }
  }

  private struct Waiting {
    var id: UInt64
    /// Waits until everything is written; else until there is room.
    var isForAll: Bool
    var continuation: UnsafeContinuation<RPCError?, Never>
  }

  private struct State {
    /// The call is on its way: messages can be written.
    var isOpen: Bool
    /// A message waits for credit or for room in the output.
    var isHeld = false
    var outbox: [Handover] = []
    var outboxBytes = 0
    /// The call's thread has been told, or needn't be.
    var isDrainPosted = false
    /// Somebody writes what was in the outbox. A carrier without a thread of its own is written to
    /// from any, but by one at a time: the order of the messages is theirs in the outbox.
    var isDraining = false
    /// More has come meanwhile.
    var isDrainDue = false
    /// The writer has said that it sends nothing more.
    var isFinished = false
    var failure: RPCError?
    var waiting: [Waiting] = []
    var lastID: UInt64 = 0

    var isBlocked: Bool { !isOpen || isHeld || outboxBytes >= OutboundMessages.outboxLimit }
    var isWritten: Bool { isOpen && !isHeld && outbox.isEmpty && !isDraining }
  }

  /// Writers on other threads than the call's wait while so many bytes are on their way to it.
  private static let outboxLimit = 64 * 1024

  private let state: Mutex<State>

  /// Makes a direction.
  ///
  /// - Parameter isOpen: False: messages have to wait until `open`.
  package init(isOpen: Bool) {
    state = Mutex(State(isOpen: isOpen))
  }

  // MARK: For the transport

  /// A message that was written waits for credit or room.
  package func hold() { state.withLock { $0.isHeld = true } }

  /// Everything that was written is on its way.
  package func release() { update { $0.isHeld = false } }

  /// The call is on its way.
  ///
  /// - Returns: Whether `drain` has something to write or to close.
  package func open() -> Bool {
    var hasMore = false
    update { state in
      state.isOpen = true
      hasMore = !state.outbox.isEmpty || state.isFinished
      // Whoever is woken leaves it to the caller.
      state.isDrainPosted = hasMore
    }
    return hasMore
  }

  /// The call isn't on its way any more, but may be again.
  package func reopenLater() { state.withLock { $0.isOpen = false } }

  /// The direction is over: writers get this error. The first one counts.
  package func fail(_ error: RPCError) {
    let waiting = state.withLock { state in
      if state.failure == nil { state.failure = error }
      state.outbox = []
      state.outboxBytes = 0
      defer { state.waiting = [] }
      return state.waiting
    }
    for writer in waiting { writer.continuation.resume(returning: error) }
  }

  /// Takes the messages from other threads, on the call's own; `drained` has to follow.
  ///
  /// - Returns: The messages, and whether they are the last; nil when there is nothing to do, or
  ///   somebody is at it, who goes on with what has come.
  private func takeOutbox() -> (messages: [Handover], isFinished: Bool)? {
    state.withLock { state in
      state.isDrainPosted = false
      guard state.isOpen else { return nil }
      guard !state.isDraining else {
        state.isDrainDue = true
        return nil
      }
      state.isDraining = true
      // Their bytes count until they are written, so that nobody gets ahead meanwhile.
      defer { state.outbox = [] }
      return (state.outbox, state.isFinished)
    }
  }

  /// So many bytes that `takeOutbox` returned have been written.
  ///
  /// - Returns: Whether the outbox has to be taken once more.
  private func drained(_ bytes: Int) -> Bool {
    var isDue = false
    update { state in
      state.outboxBytes = max(0, state.outboxBytes - bytes)
      state.isDraining = false
      isDue = state.isDrainDue
      state.isDrainDue = false
    }
    return isDue
  }

  private func update(_ change: (inout State) -> Void) {
    let woken = state.withLock { state -> [Waiting] in
      change(&state)
      guard !state.waiting.isEmpty, !state.isBlocked else { return [] }
      let isWritten = state.isWritten
      let woken = state.waiting.filter { !$0.isForAll || isWritten }
      state.waiting.removeAll { !$0.isForAll || isWritten }
      return woken
    }
    for writer in woken { writer.continuation.resume(returning: nil) }
  }

  // MARK: For writers

  /// What a writer has to do with a message.
  @usableFromInline
  enum Route {
    /// Write it here and now; only on the call's thread.
    case direct
    /// Hand it over with `add`.
    case outbox
    /// Nothing: the call is over.
    case failed(RPCError)
  }

  /// How a message gets to the peer.
  @usableFromInline
  func route(isHere: Bool) -> Route {
    state.withLock { state in
      if let failure = state.failure { return .failed(failure) }
      if state.isFinished { return .failed(Self.finished) }
      let isNext = state.isOpen && state.outbox.isEmpty && !state.isDraining
      return isHere && isNext ? .direct : .outbox
    }
  }

  /// Hands an encoded message over to the call's thread.
  ///
  /// - Returns: Whether the thread has to be told.
  @usableFromInline
  func add(_ message: Handover) -> Bool {
    state.withLock { state in
      guard state.failure == nil else { return false }
      state.outbox.append(message)
      // Writers wait above the limit, so that the sum stays far below overflow.
      state.outboxBytes += message.bytes.count
      return needsDrain(&state)
    }
  }

  /// The writer sends nothing more.
  ///
  /// - Returns: Whether the call's thread has to be told.
  func finish() -> Bool {
    state.withLock { state in
      guard state.failure == nil, !state.isFinished else { return false }
      state.isFinished = true
      return needsDrain(&state)
    }
  }

  private func needsDrain(_ state: inout State) -> Bool {
    guard state.isOpen, !state.isDrainPosted else { return false }
    state.isDrainPosted = true
    return true
  }

  /// Waits while there is no room for a further message.
  @usableFromInline
  func waitForRoom() async throws(RPCError) {
    guard state.withLock({ $0.isBlocked || $0.failure != nil }) else { return }
    try await wait(isForAll: false)
  }

  /// Waits until everything is on its way, or can't be any more.
  @usableFromInline
  func waitUntilWritten() async {
    guard state.withLock({ !$0.isWritten && $0.failure == nil }) else { return }
    do throws(RPCError) { try await wait(isForAll: true) } catch {}
  }

  private func wait(isForAll: Bool) async throws(RPCError) {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    let error = await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        register(Waiting(id: id, isForAll: isForAll, continuation: continuation))
      }
    } onCancel: {
      wake(id, with: Self.cancelledWriter)
    }
    if let error { throw error }
  }

  private func register(_ writer: Waiting) {
    let (isDone, failure) = state.withLock { state -> (Bool, RPCError?) in
      if let failure = state.failure { return (true, failure) }
      guard writer.isForAll ? !state.isWritten : state.isBlocked else { return (true, nil) }
      state.waiting.append(writer)
      return (false, nil)
    }
    if isDone { return writer.continuation.resume(returning: failure) }
    // A cancellation before this point found nobody to wake. Whoever takes a writer out of the
    // state resumes it, so that it happens once.
    if Task.isCancelled { wake(writer.id, with: Self.cancelledWriter) }
  }

  private func wake(_ id: UInt64, with error: RPCError) {
    let writer = state.withLock { state -> Waiting? in
      guard let index = state.waiting.firstIndex(where: { $0.id == id }) else { return nil }
      return state.waiting.remove(at: index)
    }
    writer?.continuation.resume(returning: error)
  }

  private static let cancelledWriter = RPCError(
    .cancelled, "the task that sends was cancelled", phase: .sent)

  private static let finished = RPCError(
    .internal, "a message after finish(): it wasn't sent", phase: .sent)
}

extension OutboundMessages {
  /// Sends a message through a port and waits while there is no room for a further one.
  @inlinable
  func send<Port: MessagePort>(
    size: Int, compression: MessageCompression?, through port: Port,
    encode: (UnsafeMutableRawBufferPointer) -> Void
  ) async throws(RPCError) {
    switch route(isHere: port.isHere) {
    case .failed(let error): throw error
    case .direct:
      let error = port.write(size: size, compression: compression, encode: encode)
      if let error { throw error }
    case .outbox:
      let message = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        encode(UnsafeMutableRawBufferPointer(buffer))
        count = size
      }
      if add(Handover(message, compression)) { port.post { self.drain(through: port) } }
    }
    try await waitForRoom()
  }

  /// Writes what other threads have handed over; on the call's thread.
  @usableFromInline
  package func drain(through port: some MessagePort) {
    while let (messages, isFinished) = takeOutbox() {
      for message in messages {
        let error = port.write(size: message.bytes.count, compression: message.compression) {
          $0.copyBytes(from: message.bytes)
        }
        if let error {
          fail(error)
          port.writeFailed(error)
        }
      }
      if isFinished { port.closeSending() }
      guard drained(messages.reduce(0) { $0 + $1.bytes.count }) else { return }
    }
  }
}
