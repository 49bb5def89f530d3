public import ProtobufWire

/// A call with many requests and one response, under way.
///
/// Dropping it cancels the call unless it has ended.
public struct ClientStreamingCall<Request: Message, Response: Message>: Sendable {
  let handle: StreamHandle

  /// Sends the requests. `finish()` has to follow the last.
  public var requests: RequestWriter<Request> { RequestWriter(handle: handle) }

  /// Waits for the response. Cancelling the task cancels the call.
  ///
  /// - Throws: `RPCError` with the server's status, or with what kept the call from getting one.
  public func response() async throws(RPCError) -> Response {
    let response = try await handle.next(isolation: nil, as: Response.self)?.response
    guard let response else {
      throw RPCError(
        .unimplemented, "\(handle.call.method.path) was answered with OK and no response",
        phase: .answered)
    }
    guard try await handle.next(isolation: nil, as: Response.self) == nil else {
      handle.call.giveUp()
      throw RPCError(
        .unimplemented, "\(handle.call.method.path) was answered with more than one response",
        phase: .answered)
    }
    return response
  }

  /// The server's initial metadata; empty when it sent none. Waits for it.
  public var initialMetadata: Metadata {
    get async { await handle.initialMetadata() }
  }

  /// What came with the status; empty before the end.
  public var trailingMetadata: Metadata { handle.call.trailingMetadata }

  /// Gives the call up, from any task: it ends with CANCELLED unless it has ended.
  public func cancel() { handle.call.giveUp() }
}

/// A call with many requests and many responses, under way.
///
/// Dropping it and what was taken from it cancels the call unless it has ended.
public struct BidirectionalCall<Request: Message, Response: Message>: Sendable {
  let handle: StreamHandle

  /// Sends the requests. `finish()` has to follow the last.
  public var requests: RequestWriter<Request> { RequestWriter(handle: handle) }

  /// The responses, and their metadata.
  public var responses: ResponseStream<Response> { ResponseStream(handle: handle) }

  /// Gives the call up, from any task: it ends with CANCELLED unless it has ended.
  public func cancel() { handle.call.giveUp() }
}
