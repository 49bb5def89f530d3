import Synchronization

extension ServerContext {
  /// Why nobody waits for the answer any more; nil while the caller does.
  ///
  /// The handler's task is cancelled as well, so that `Task.isCancelled` and whatever else checks
  /// it say the same.
  public var cancellation: CallCancellation? {
    guard usesShared.load(ordering: .acquiring) else { return nil }
    return shared.withLock { $0.cancellation }
  }

  /// True once nobody waits for the answer any more.
  public var isCancelled: Bool { cancellation != nil }

  /// Runs an action once nobody waits for the answer any more: at once when that is so already,
  /// never when the handler ends first.
  ///
  /// The action may run on the connection's event loop and must not block.
  public func onCancellation(_ action: @escaping @Sendable (CallCancellation) -> Void) {
    usesShared.store(true, ordering: .releasing)
    let reason = shared.withLock { shared -> CallCancellation? in
      if let reason = shared.cancellation { return reason }
      if !shared.isOver { shared.cancellationActions.append(action) }
      return nil
    }
    if let reason { action(reason) }
  }

  /// Cancels the handler. The transport has answered, or there is nobody to answer to.
  package func cancel(_ reason: CallCancellation) {
    usesShared.store(true, ordering: .releasing)
    let (actions, shared) = shared.withLock { shared in
      guard shared.cancellation == nil, !shared.isOver else { return ([Action](), shared.task) }
      shared.cancellation = reason
      defer { shared.cancellationActions = [] }
      return (shared.cancellationActions, shared.task)
    }
    // Readers and writers first, since they get the reason; then the task, so that whoever is woken
    // by an action finds it cancelled.
    if let inbound { inbound.fail(RPCError(reason), dropping: true) }
    if let outbound { outbound.fail(RPCError(reason)) }
    shared?.cancel()
    if isConfined { task?.cancel() }
    for action in actions { action(reason) }
  }

  typealias Action = @Sendable (CallCancellation) -> Void

  /// The handler has ended: its cancellation actions are not run any more.
  package func handlerEnded() {
    guard usesShared.load(ordering: .acquiring) else { return }
    shared.withLock { shared in
      shared.isOver = true
      shared.task = nil
      shared.cancellationActions = []
    }
  }
}
