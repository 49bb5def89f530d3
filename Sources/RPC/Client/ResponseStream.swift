public import ProtobufWire

/// The responses of a server-streaming or bidirectional call, in order, to be iterated over once.
///
/// The server can send as much ahead as its credit reaches, and gets new credit when messages are
/// taken here. Cancelling the iterating task, dropping the iterator, and dropping the stream cancel
/// the call.
public struct ResponseStream<Response: Message>: AsyncSequence, Sendable {
  public typealias Element = Response
  public typealias Failure = RPCError

  let handle: StreamHandle

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(handle) }

  /// The server's initial metadata; empty when it sent none before its first response or the end.
  /// Waits for it.
  public var initialMetadata: Metadata {
    get async { await handle.initialMetadata() }
  }

  /// What came with the status; empty before the end.
  public var trailingMetadata: Metadata { handle.call.trailingMetadata }

  /// Gives the call up, from any task: it ends with CANCELLED unless it has ended.
  public func cancel() { handle.call.giveUp() }

  /// Takes the responses one after the other. One task at a time.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let drop: DroppedIterator

    /// Whether the last response came compressed.
    public private(set) var isCompressed = false

    init(_ handle: StreamHandle) { drop = DroppedIterator(handle) }

    /// The next response; nil after the last, when the call has ended with OK.
    ///
    /// - Throws: `RPCError` with the server's status, or with what kept the call from getting one.
    public mutating func next() async throws(RPCError) -> Response? {
      try await next(isolation: nil)
    }

    /// The next response; nil after the last, when the call has ended with OK.
    ///
    /// - Throws: As `next`.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(RPCError) -> Response? {
      let next = try await drop.handle.next(isolation: actor, as: Response.self)
      if let next { isCompressed = next.isCompressed }
      return next?.response
    }
  }
}

/// Cancels a call when the iterator over its responses is gone.
private final class DroppedIterator: Sendable {
  let handle: StreamHandle

  init(_ handle: StreamHandle) { self.handle = handle }

  deinit { handle.call.giveUp() }
}
