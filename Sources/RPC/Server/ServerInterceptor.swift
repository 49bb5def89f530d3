public import ProtobufWire

/// Runs around the handlers of a server's methods.
///
/// The first of a server's interceptors is the outermost. A method with interceptors doesn't use
/// its immediate handler, so that none of its calls passes them by.
public protocol ServerInterceptor: Sendable {
  /// Looks at a call, and goes on with `next`, or refuses by throwing, or answers itself.
  ///
  /// - Parameters:
  ///   - request: The decoded request.
  ///   - context: The call: its method, metadata, deadline, peer and principal.
  ///   - next: The interceptors behind this one, then the handler.
  func intercept<Request: Message, Response: Message>(
    _ request: Request, context: ServerContext,
    next: @Sendable (Request, ServerContext) async throws -> Response
  ) async throws -> Response

  /// The same for a call that has a stream of requests or responses: it runs around the handler,
  /// whose messages it doesn't see. It may refuse by throwing before `next`.
  ///
  /// - Parameters:
  ///   - context: The call: its method, metadata, deadline, peer and principal.
  ///   - next: The interceptors behind this one, then the handler; to be called once.
  func interceptStream(
    context: ServerContext, next: @Sendable (ServerContext) async throws -> Void
  ) async throws
}

/// Calls the interceptors from `index` on, then the handler.
@usableFromInline
package func intercepted<Request: Message, Response: Message>(
  _ request: Request, _ context: ServerContext, by interceptors: [any ServerInterceptor],
  from index: Int = 0,
  handler: @escaping @Sendable (Request, ServerContext) async throws -> Response
) async throws -> Response {
  guard index < interceptors.count else { return try await handler(request, context) }
  return try await interceptors[index].intercept(request, context: context) { request, context in
    try await intercepted(
      request, context, by: interceptors, from: index + 1, handler: handler)
  }
}

/// Calls the interceptors from `index` on, then the handler of a call with streams.
@usableFromInline
package func interceptedStream(
  _ context: ServerContext, by interceptors: [any ServerInterceptor], from index: Int = 0,
  handler: @escaping @Sendable (ServerContext) async throws -> Void
) async throws {
  guard index < interceptors.count else { return try await handler(context) }
  try await interceptors[index].interceptStream(context: context) { context in
    try await interceptedStream(context, by: interceptors, from: index + 1, handler: handler)
  }
}
