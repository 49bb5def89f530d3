public import ProtobufWire

extension MethodRegistry {
  /// Registers the handler of a server-streaming method. Called by generated code.
  @inlinable
  public mutating func serverStreaming<Request: Message, Response: Message>(
    _ method: MethodDescriptor,
    _ handler:
      @escaping @Sendable (Request, ResponseWriter<Response>, ServerContext) async throws -> Void
  ) {
    register(method) { bytes, context in
      let request: Request
      do throws(WireError) {
        request = try Request(decoding: bytes)
      } catch {
        context.refuse(undecodable: error)
        return
      }
      let responses = context.makeWriter(Response.self)
      context.runStream { context in try await handler(request, responses, context) }
    }
  }

  /// Registers the handler of a client-streaming method. Called by generated code.
  @inlinable
  public mutating func clientStreaming<Request: Message, Response: Message>(
    _ method: MethodDescriptor,
    _ handler: @escaping @Sendable (RequestStream<Request>, ServerContext) async throws -> Response
  ) {
    register(method) { _, context in
      let requests = context.makeReader(Request.self)
      let result = KeptResponse<Response>()
      context.runStream {
        context.finishStream(with: result.response)
      } handler: { context in
        result.response = try await handler(requests, context)
      }
    }
  }

  /// Registers the handler of a bidirectional method. Called by generated code.
  @inlinable
  public mutating func bidirectional<Request: Message, Response: Message>(
    _ method: MethodDescriptor,
    _ handler:
      @escaping @Sendable (
        RequestStream<Request>, ResponseWriter<Response>, ServerContext
      ) async throws -> Void
  ) {
    register(method) { _, context in
      let requests = context.makeReader(Request.self)
      let responses = context.makeWriter(Response.self)
      context.runStream { context in try await handler(requests, responses, context) }
    }
  }
}

extension ServerContext {
  /// Runs the handler of a call with streams as a task.
  ///
  /// - Parameters:
  ///   - finish: Ends the call when the handler has returned; nil: with OK.
  ///   - handler: What to run.
  @usableFromInline
  package func runStream(
    finish: (@Sendable () -> Void)? = nil,
    handler: @escaping @Sendable (ServerContext) async throws -> Void
  ) {
    willRun()
    let task = Task.immediate(executorPreference: executor) {
      do {
        try await CallDeadline.with(self.deadline) {
          let interceptors = self.interceptors
          if interceptors.isEmpty {
            try await handler(self)
          } else {
            try await interceptedStream(self, by: interceptors, handler: handler)
          }
        }
        if let finish { finish() } else { self.finishStream() }
      } catch {
        await self.failStream(error)
      }
      self.didRunStream()
    }
    isRunning(as: task)
  }

  /// Ends a call with its one response.
  @usableFromInline
  package func finishStream(with response: (some Message)?) {
    if let response { return respond(with: response) }
    fail(RegistrationError.skippedHandler(method))
  }
}

/// The response of a client-streaming call between its handler's end and the interceptors'. Written
/// and read by the call's task alone.
@usableFromInline
final class KeptResponse<Response: Message>: @unchecked Sendable {
  @usableFromInline var response: Response?

  @usableFromInline init() {}
}
