public import ProtobufWire

/// Makes calls: a client with its connections, or the in-process transport. Generated stubs hold
/// one.
public protocol CallInvoker: Sendable {
  /// Run around the calls of generated stubs, the first outermost.
  var interceptors: [any ClientInterceptor] { get }

  /// Starts a call; from any thread. It ends with exactly one of `call.succeeded` and
  /// `call.failed`, on a thread of the invoker's choice.
  func start(_ call: OutgoingCall)

  /// Gives a started call up: it ends with CANCELLED unless it has ended already. From any thread.
  func cancel(_ call: OutgoingCall)
}

/// A response with the metadata that came beside it.
public struct ClientResponse<Message: ProtobufWire.Message>: Sendable {
  /// The response.
  public var message: Message

  /// Came before the response.
  public var initialMetadata: Metadata

  /// Came with the status.
  public var trailingMetadata: Metadata

  /// Whether the response came compressed.
  public var isCompressed: Bool

  /// Makes a response, as interceptors do that answer themselves.
  public init(
    message: Message, initialMetadata: Metadata = Metadata(),
    trailingMetadata: Metadata = Metadata(), isCompressed: Bool = false
  ) {
    self.message = message
    self.initialMetadata = initialMetadata
    self.trailingMetadata = trailingMetadata
    self.isCompressed = isCompressed
  }
}

extension CallInvoker {
  /// Makes a unary call and waits for its response. Cancelling the task cancels the call.
  ///
  /// - Throws: `RPCError` with the server's status, or with what kept the call from getting one.
  @inlinable
  public func unary<Request: Message, Response: Message>(
    _ method: MethodDescriptor, _ request: Request, options: CallOptions = CallOptions()
  ) async throws(RPCError) -> Response {
    try await unaryResponse(method, request, options: options).message
  }

  /// Makes a unary call and waits for its response with its metadata. Cancelling the task cancels
  /// the call.
  ///
  /// - Throws: `RPCError` with the server's status, or with what kept the call from getting one.
  public func unaryResponse<Request: Message, Response: Message>(
    _ method: MethodDescriptor, _ request: Request, options: CallOptions = CallOptions()
  ) async throws(RPCError) -> ClientResponse<Response> {
    let interceptors = self.interceptors
    guard !interceptors.isEmpty else { return try await exchange(method, request, options) }
    return try await intercepted(
      request, method, options, by: interceptors
    ) { (request: Request, options) async throws(RPCError) -> ClientResponse<Response> in
      try await self.exchange(method, request, options)
    }
  }

  private func exchange<Request: Message, Response: Message>(
    _ method: MethodDescriptor, _ request: Request, _ options: CallOptions
  ) async throws(RPCError) -> ClientResponse<Response> {
    let call = AwaitedUnaryCall<Request, Response>(method, request, options: options)
    call.inheritedDeadline = CallDeadline.inherited(options)
    let result = await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        call.continuation = continuation
        start(call)
      }
    } onCancel: {
      cancel(call)
    }
    return try result.get()
  }
}
