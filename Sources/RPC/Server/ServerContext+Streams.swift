public import ProtobufWire

extension ServerContext: MessagePort {
  @usableFromInline package var isHere: Bool { responder.isHere }

  @usableFromInline
  package func post(_ work: @escaping @Sendable () -> Void) { responder.post(work) }

  @usableFromInline
  package func write(
    size: Int, compression: MessageCompression?, encode: (UnsafeMutableRawBufferPointer) -> Void
  ) -> RPCError? {
    responder.write(
      self, size: size, compression: compression ?? responseCompression, encode: encode)
  }

  // The handler learns of it with its next message, and decides.
  @usableFromInline package func writeFailed(_ error: RPCError) {}

  // A server's direction ends with the call.
  @usableFromInline package func closeSending() {}

  @usableFromInline
  package func returnCredit(_ bytes: Int) { responder.returnCredit(self, bytes) }

  /// Returns credit, from any thread.
  func giveBack(_ bytes: Int) {
    if isHere { return returnCredit(bytes) }
    post { self.returnCredit(bytes) }
  }
}

extension ServerContext {
  /// Begins the direction to the caller.
  @usableFromInline
  package func makeWriter<Response: Message>(
    _: Response.Type = Response.self
  ) -> ResponseWriter<Response> {
    let outbound = outbound ?? OutboundMessages(isOpen: true)
    self.outbound = outbound
    return ResponseWriter(self, outbound)
  }

  /// The direction from the caller, which the transport has begun.
  @usableFromInline
  package func makeReader<Request: Message>(
    _: Request.Type = Request.self
  ) -> RequestStream<Request> {
    RequestStream(self, inbound ?? InboundMessages(creditStep: 1))
  }

  /// Ends a call whose handler has returned and has sent its responses itself. On the call's
  /// executor.
  @usableFromInline
  package func finishStream() {
    if isHere { outbound?.drain(through: self) }
    responder.finish(self)
  }

  /// Ends a call whose handler has thrown, behind the messages that it has sent. On the call's
  /// executor.
  @usableFromInline
  package func failStream(_ error: any Error) async {
    await outbound?.waitUntilWritten()
    fail(error)
  }

  /// The handler's task has ended. On the call's executor.
  @usableFromInline
  package func didRunStream() {
    // On its way to another thread there may still be something to send.
    if isHere { endStreams() }
    didRun()
  }

  /// Tells tasks that the handler has left behind that its call is over.
  package func endStreams() {
    let over = RPCError(.cancelled, "the call's handler has returned")
    inbound?.fail(over, dropping: true)
    outbound?.fail(over)
  }
}

extension RPCError {
  /// What reading and writing tasks of a handler get when nobody waits for the call any more.
  init(_ reason: CallCancellation) {
    switch reason {
    case .byCaller: self.init(.cancelled, "the caller cancelled the call")
    case .deadlineExceeded: self.init(.deadlineExceeded, "the call's deadline passed")
    case .connectionLost: self.init(.unavailable, "the connection to the caller ended")
    }
  }
}
