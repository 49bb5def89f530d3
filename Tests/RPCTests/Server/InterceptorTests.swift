import ProtobufWire
import RPC
import RPCClient
import RPCServer
import Testing

/// Notes that it was passed, on either side.
struct Noting: ServerInterceptor, ClientInterceptor {
  var name: String
  var notes: Locked<[String]>

  func intercept<Request: Message, Response: Message>(
    _ request: Request, context: ServerContext,
    next: @Sendable (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    notes.withLock { $0.append("\(name) in \(context.method.method)") }
    defer { notes.withLock { $0.append("\(name) out") } }
    return try await next(request, context)
  }

  func intercept<Request: Message, Response: Message>(
    _ request: Request, method: MethodDescriptor, options: CallOptions,
    next: @Sendable (Request, CallOptions) async throws(RPCError) -> ClientResponse<Response>
  ) async throws(RPCError) -> ClientResponse<Response> {
    notes.withLock { $0.append("\(name) in \(method.method)") }
    var changed = options
    do throws(Metadata.Refusal) { try changed.metadata.add("echo-by", name) } catch {}
    let response = try await next(request, changed)
    notes.withLock { $0.append("\(name) out") }
    return response
  }

  func interceptStream(
    context: ServerContext, next: @Sendable (ServerContext) async throws -> Void
  ) async throws {
    notes.withLock { $0.append("\(name) in \(context.method.method)") }
    defer { notes.withLock { $0.append("\(name) out") } }
    try await next(context)
  }

  func interceptStream(
    method: MethodDescriptor, options: CallOptions
  ) throws(RPCError) -> InterceptedStream {
    notes.withLock { $0.append("\(name) in \(method.method)") }
    var changed = options
    do throws(Metadata.Refusal) { try changed.metadata.add("echo-by", name) } catch {}
    return InterceptedStream(options: changed) { error in
      notes.withLock { $0.append("\(name) out \(error?.code ?? .ok)") }
    }
  }
}

/// Refuses every call.
struct Refusing: ServerInterceptor, ClientInterceptor {
  func intercept<Request: Message, Response: Message>(
    _ request: Request, context: ServerContext,
    next: @Sendable (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    throw RPCError(.resourceExhausted, "deadline in \(context.deadline.nanoseconds > 0)")
  }

  func intercept<Request: Message, Response: Message>(
    _ request: Request, method: MethodDescriptor, options: CallOptions,
    next: @Sendable (Request, CallOptions) async throws(RPCError) -> ClientResponse<Response>
  ) async throws(RPCError) -> ClientResponse<Response> {
    throw RPCError(.failedPrecondition, "not from here")
  }

  func interceptStream(
    context: ServerContext, next: @Sendable (ServerContext) async throws -> Void
  ) async throws {
    throw RPCError(.resourceExhausted, "no streams")
  }

  func interceptStream(
    method: MethodDescriptor, options: CallOptions
  ) throws(RPCError) -> InterceptedStream {
    throw RPCError(.failedPrecondition, "no streams from here")
  }
}

@Suite struct InterceptorTests {
  @Test func theServersWrapTheHandlerInOrder() async throws {
    let notes = Locked<[String]>([])
    try await withServer(configure: {
      $0.interceptors = [
        Noting(name: "outer", notes: notes), Noting(name: "inner", notes: notes),
      ]
    }) { server in
      let client = EchoServiceClient(try server.client())
      #expect(try await client.echo(EchoMessage(text: "x")).text == "x")
      #expect(notes.current == ["outer in Echo", "inner in Echo", "inner out", "outer out"])
    }
  }

  @Test func aServersInterceptorIsNotPassedByImmediateHandlers() async throws {
    try await withServer(
      configure: { $0.interceptors = [Refusing()] },
      register: {
        $0.immediate(EchoServiceMethods.echo) { (_, _, sink) throws(RPCError) in
          sink.write(EchoMessage(text: "immediate"))
          return .answered
        }
      }
    ) { server in
      let error = await #expect(throws: RPCError.self) {
        _ = try await EchoServiceClient(try server.client()).echo(EchoMessage())
      }
      #expect(error?.code == .resourceExhausted)
    }
  }

  @Test func theClientsWrapTheCallAndChangeItsMetadata() async throws {
    let notes = Locked<[String]>([])
    try await withServer { server in
      let client = try server.client {
        $0.interceptors = [
          Noting(name: "outer", notes: notes), Noting(name: "inner", notes: notes),
        ]
      }
      let response: ClientResponse<EchoMessage> = try await client.unaryResponse(
        EchoServiceMethods.echo, EchoMessage())
      #expect(
        response.trailingMetadata.all("trailing-echo-by") == [.ascii("outer"), .ascii("inner")])
      #expect(notes.current == ["outer in Echo", "inner in Echo", "inner out", "outer out"])
    }
  }

  @Test func aClientsInterceptorMayRefuse() async throws {
    try await withServer { server in
      let client = EchoServiceClient(try server.client { $0.interceptors = [Refusing()] })
      let error = await #expect(throws: RPCError.self) { _ = try await client.echo(EchoMessage()) }
      #expect(error?.code == .failedPrecondition)
      #expect(server.server.metrics.acceptedConnections == 0)
    }
  }
}
