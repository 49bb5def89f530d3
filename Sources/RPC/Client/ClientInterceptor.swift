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
