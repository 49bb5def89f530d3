public import ProtobufWire

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
    responder.fail(
      self,
      RPCError(.invalidArgument, "the request can't be decoded: \(error)", cause: error))
    responder.handlerEnded(self)
  }

  /// Runs a handler as a task that begins here and now, and goes on where its loop is.
  @usableFromInline
  package func run(_ body: @escaping @Sendable () async -> Void) {
    // What's borrowed ends when this call returns; the handler may look at it later.
    keepMetadata()
    let started = Task.immediate(executorPreference: executor) {
      await body()
      self.handlerEnded()
      self.responder.handlerEnded(self)
    }
    task = started
  }
}
