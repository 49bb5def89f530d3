public import ProtobufWire
import Synchronization

extension ServerContext {
  /// Answers the call with a message, encoded where it will be sent from.
  @inlinable
  package func respond(with message: some Message) {
    let plan = message.sizePlan()
    respond(size: plan.total) { buffer in message.encode(into: buffer, plan: plan) }
  }

  @usableFromInline
  package func respond(size: Int, encode: (UnsafeMutableRawBufferPointer) -> Void) {
    responder.respond(to: self, size: size, encode: encode)
  }

  /// Answers the call with what the caller may know of an error.
  @usableFromInline
  package func fail(_ error: any Error) {
    responder.fail(self, RPCError(thrown: error))
  }

  /// Answers a call whose request isn't a message of the method's type.
  @usableFromInline
  package func refuse(undecodable error: WireError) {
    responder.fail(self, RPCError(.internal, "the request can't be decoded: \(error)"))
    responder.handlerEnded(self)
  }

  /// A handler's task is about to begin, here and now; it goes on where its loop is.
  @usableFromInline
  package func willRun() {
    // What's borrowed ends when this call returns; the handler may look at it later.
    keepMetadata()
  }

  /// The handler's task has ended. On the call's executor.
  @usableFromInline
  package func didRun() {
    handlerEnded()
    responder.handlerEnded(self)
  }

  /// The handler's task has begun, and may have ended.
  @usableFromInline
  package func isRunning(as task: Task<Void, Never>) {
    guard !isConfined else {
      if !handlerHasEnded { self.task = task }
      return
    }
    // Away from its transport's thread, the call may be cancelled from another thread meanwhile.
    usesShared.store(true, ordering: .releasing)
    let isCancelled = shared.withLock { shared in
      if !shared.isOver { shared.task = task }
      return shared.cancellation != nil
    }
    if isCancelled { task.cancel() }
  }
}
