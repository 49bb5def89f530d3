public import ProtobufWire

/// Runs around the calls of generated stubs.
///
/// The first of an invoker's interceptors is the outermost. Calls in the completion form
/// (`OutgoingUnaryCall`) don't pass interceptors.
public protocol ClientInterceptor: Sendable {
  /// Looks at a call, and goes on with `next`, as often as it likes, or throws, or answers itself.
  ///
  /// - Parameters:
  ///   - request: What the caller sends.
  ///   - method: The method that is called.
  ///   - options: Timeout and metadata; `next` takes changed ones.
  ///   - next: The interceptors behind this one, then the call.
  func intercept<Request: Message, Response: Message>(
    _ request: Request, method: MethodDescriptor, options: CallOptions,
    next: @Sendable (Request, CallOptions) async throws(RPCError) -> ClientResponse<Response>
  ) async throws(RPCError) -> ClientResponse<Response>

  /// Looks at a call that has a stream of requests or responses before it starts, and may refuse it
  /// by throwing.
  ///
  /// - Parameters:
  ///   - method: The method that is called.
  ///   - options: Timeout and metadata.
  /// - Returns: The options that the call starts with, and what to do at its end.
  func interceptStream(
    method: MethodDescriptor, options: CallOptions
  ) throws(RPCError) -> InterceptedStream
}

/// What a client's interceptor makes of a call with streams.
public struct InterceptedStream: Sendable {
  /// What the call starts with.
  public var options: CallOptions

  /// Gets the call's error, nil when it ended with OK, once, on the call's event loop. It must not
  /// block.
  public var onEnd: (@Sendable (RPCError?) -> Void)?

  /// Lets a call pass with these options.
  public init(options: CallOptions, onEnd: (@Sendable (RPCError?) -> Void)? = nil) {
    self.options = options
    self.onEnd = onEnd
  }
}

/// Calls the interceptors from `index` on, then `exchange`.
func intercepted<Request: Message, Response: Message>(
  _ request: Request, _ method: MethodDescriptor, _ options: CallOptions,
  by interceptors: [any ClientInterceptor], from index: Int = 0,
  exchange:
    @escaping @Sendable (Request, CallOptions) async throws(RPCError) -> ClientResponse<Response>
) async throws(RPCError) -> ClientResponse<Response> {
  guard index < interceptors.count else { return try await exchange(request, options) }
  return try await interceptors[index].intercept(request, method: method, options: options) {
    (request: Request, options) async throws(RPCError) -> ClientResponse<Response> in
    try await intercepted(
      request, method, options, by: interceptors, from: index + 1, exchange: exchange)
  }
}
