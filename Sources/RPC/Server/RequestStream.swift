public import ProtobufWire

/// The requests of a client-streaming or bidirectional call, in order, to be iterated over once.
///
/// The caller can send as much ahead as its credit reaches, and gets new credit when messages are
/// taken here. The stream ends when the caller has said that it sends no more. A handler may return
/// without having read everything.
public struct RequestStream<Request: Message>: AsyncSequence, Sendable {
  public typealias Element = Request
  public typealias Failure = RPCError

  let context: ServerContext
  let inbound: InboundMessages

  init(_ context: ServerContext, _ inbound: InboundMessages) {
    self.context = context
    self.inbound = inbound
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

  /// Takes the requests one after the other. One task at a time.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let stream: RequestStream

    /// Whether the last request came compressed.
    public private(set) var isCompressed = false

    init(_ stream: RequestStream) { self.stream = stream }

    /// The next request; nil after the last.
    ///
    /// - Throws: `RPCError`: CANCELLED, DEADLINE_EXCEEDED or UNAVAILABLE when nobody waits for the
    ///   call any more; INTERNAL for a message that can't be decoded.
    public mutating func next() async throws(RPCError) -> Request? {
      try await next(isolation: nil)
    }

    /// The next request; nil after the last.
    ///
    /// - Throws: As `next`.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(RPCError) -> Request? {
      let inbound = stream.inbound
      var next = inbound.take()
      if next == nil { next = await inbound.next() }
      if case .message(let message, _) = next { isCompressed = message.inflater != nil }
      return try stream.open(next)
    }
  }

  private func open(_ next: InboundMessages.Next?) throws(RPCError) -> Request? {
    switch next {
    case .message(let message, let credit):
      if credit > 0 { context.giveBack(credit) }
      do throws(UnreadableMessage) {
        return try message.decode(of: context.method)
      } catch {
        var told = RPCError(error, "a request of \(context.method.path)", phase: .serving)
        // It is the caller's fault, and told whole: nothing for the server's log.
        told.cause = nil
        throw told
      }
    case .failed(let error): throw error
    case .end, nil: return nil
    }
  }
}
