public import ProtobufWire

/// Sends the responses of a server-streaming or bidirectional call, in order.
///
/// The call ends when its handler returns: with OK when it returns normally, with the error when it
/// throws one. A writer may be used from any task; one that outlives the handler only throws.
public struct ResponseWriter<Response: Message>: Sendable {
  @usableFromInline let context: ServerContext
  @usableFromInline let outbound: OutboundMessages

  @usableFromInline
  init(_ context: ServerContext, _ outbound: OutboundMessages) {
    self.context = context
    self.outbound = outbound
  }

  /// Sends a message. Returns when there is room for a further one: while the caller gives no
  /// credit or its connection doesn't take what is written, the task is suspended.
  ///
  /// A handler that runs on its connection's event loop, as it does unless it moves elsewhere,
  /// writes into the connection's output without changing threads.
  ///
  /// - Parameters:
  ///   - response: The message.
  ///   - compression: Whether it is compressed on its way; nil: as the context says.
  /// - Throws: `RPCError`: CANCELLED, DEADLINE_EXCEEDED or UNAVAILABLE when nobody waits for the
  ///   call any more; RESOURCE_EXHAUSTED for a message larger than the caller takes, which doesn't
  ///   end the call by itself.
  @inlinable
  public func send(
    _ response: Response, compression: MessageCompression? = nil
  ) async throws(RPCError) {
    let plan = response.sizePlan()
    try await outbound.send(
      size: plan.total, compression: compression, through: context
    ) { buffer in
      response.encode(into: buffer, plan: plan)
    }
  }

  /// Sends the context's `initialMetadata` now instead of with the first message.
  ///
  /// - Throws: As `send`.
  public func sendInitialMetadata() async throws(RPCError) {
    if context.isHere { return context.responder.sendInitialMetadata(context) }
    await withUnsafeContinuation { continuation in
      context.post {
        context.responder.sendInitialMetadata(context)
        continuation.resume()
      }
    }
  }
}
