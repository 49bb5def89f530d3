public import ProtobufWire

/// Sends the requests of a client-streaming or bidirectional call, in order. It may be used from
/// any task.
public struct RequestWriter<Request: Message>: Sendable {
  let handle: StreamHandle

  /// Sends a request. Returns when there is room for a further one: while the call waits for a
  /// connection, the server gives no credit or the connection doesn't take what is written, the
  /// task is suspended. Cancelling the task ends the wait, not the call.
  ///
  /// - Parameters:
  ///   - request: The message.
  ///   - compression: Whether it is compressed on its way; nil: as the call's options say.
  /// - Throws: `RPCError`: what the call has ended with, also when the server has ended it with OK;
  ///   RESOURCE_EXHAUSTED for a message larger than the server takes, which doesn't end the call by
  ///   itself when the call's own event loop sends it, and does otherwise.
  public func send(
    _ request: Request, compression: MessageCompression? = nil
  ) async throws(RPCError) {
    guard let outbound = handle.call.outbound else { return }
    let plan = request.sizePlan()
    try await outbound.send(
      size: plan.total, compression: compression, through: handle.call
    ) { buffer in
      request.encode(into: buffer, plan: plan)
    }
  }

  /// Says that no more requests follow. From any thread; doesn't wait.
  public func finish() { handle.call.finishRequests() }
}
