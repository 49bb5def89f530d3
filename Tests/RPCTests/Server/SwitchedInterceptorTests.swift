import ProtobufWire
import RPC
import RPCClient
import RPCServer
import Testing

@Suite struct SwitchedInterceptorTests {
  /// The test service, whose echo has an immediate handler, with a refusing interceptor.
  private func withSwitch(
    _ body: (EchoServer, SwitchedInterceptor) async throws -> Void
  ) async throws {
    let switched = SwitchedInterceptor(Refusing())
    try await withServer(register: {
      $0.intercept(by: switched)
      $0.immediate(EchoServiceMethods.echo) { (_, _, sink) throws(RPCError) in
        sink.write(EchoMessage(text: "immediate"))
        return .answered
      }
    }) { server in try await body(server, switched) }
  }

  @Test func whileItIsOnNoImmediateHandlerPassesItBy() async throws {
    try await withSwitch { server, switched in
      let client = EchoServiceClient(try server.client())
      #expect(try await client.echo(EchoMessage()).text == "immediate")
      switched.isOn = true
      let error = await #expect(throws: RPCError.self) { _ = try await client.echo(EchoMessage()) }
      #expect(error?.code == .resourceExhausted)
      switched.isOn = false
      #expect(try await client.echo(EchoMessage()).text == "immediate")
    }
  }

  @Test func itIsTheOutermost() async throws {
    let notes = Locked<[String]>([])
    let switched = SwitchedInterceptor(Noting(name: "switched", notes: notes))
    try await withServer(
      configure: { $0.interceptors = [Noting(name: "always", notes: notes)] },
      register: { $0.intercept(by: switched) }
    ) { server in
      let client = EchoServiceClient(try server.client())
      _ = try await client.echo(EchoMessage())
      #expect(notes.current == ["always in Echo", "always out"])
      switched.isOn = true
      notes.withLock { $0 = [] }
      _ = try await client.echo(EchoMessage())
      #expect(
        notes.current == ["switched in Echo", "always in Echo", "always out", "switched out"])
    }
  }

  @Test func itSeesCallsWithStreams() async throws {
    try await withSwitch { server, switched in
      let client = EchoServiceClient(try server.client())
      switched.isOn = true
      let error = await #expect(throws: RPCError.self) {
        for try await _ in client.repeat(RepeatRequest(count: 2)) {}
      }
      #expect(error?.message == "no streams")
    }
  }
}

/// Cuts the connection of every call.
struct Cutting: ServerInterceptor {
  func intercept<Request: Message, Response: Message>(
    _ request: Request, context: ServerContext,
    next: @Sendable (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    context.cutConnection()
    return try await next(request, context)
  }

  func interceptStream(
    context: ServerContext, next: @Sendable (ServerContext) async throws -> Void
  ) async throws {
    context.cutConnection()
    try await next(context)
  }
}

@Suite struct CutByTheServerTests {
  @Test func theCallIsLostAndTheNextOneReconnects() async throws {
    let switched = SwitchedInterceptor(Cutting())
    try await withServer(register: { $0.intercept(by: switched) }) { server in
      let client = EchoServiceClient(try server.client { $0.maximumAttempts = 1 })
      #expect(try await client.echo(EchoMessage(text: "x")).text == "x")
      switched.isOn = true
      let error = await #expect(throws: RPCError.self) { _ = try await client.echo(EchoMessage()) }
      #expect(error?.code == .unavailable)
      #expect(error?.wasStarted != false)
      switched.isOn = false
      #expect(try await client.echo(EchoMessage(text: "y")).text == "y")
      let metrics = server.server.metrics
      #expect(metrics.acceptedConnections == 2)
      #expect(metrics.runningHandlers == 0)
    }
  }

  @Test func otherCallsOfTheConnectionAreLostToo() async throws {
    let switched = SwitchedInterceptor(Cutting())
    try await withServer(register: { $0.intercept(by: switched) }) { server in
      let client = EchoServiceClient(try server.client { $0.maximumAttempts = 1 })
      let waiting = Task { try await client.wait(WaitRequest(gate: "held")) }
      await server.handlers.gates.hasEntered("held")
      switched.isOn = true
      _ = try? await client.echo(EchoMessage())
      let error = await #expect(throws: RPCError.self) { _ = try await waiting.value }
      #expect(error?.code == .unavailable)
    }
  }

  @Test func inProcessTheCallAloneEnds() async throws {
    let switched = SwitchedInterceptor(Cutting())
    var registry = EchoServer.registry(EchoHandlers())
    registry.intercept(by: switched)
    let client = EchoServiceClient(try InProcessTransport(registry))
    switched.isOn = true
    let error = await #expect(throws: RPCError.self) { _ = try await client.echo(EchoMessage()) }
    #expect(error?.code == .unavailable)
    switched.isOn = false
    #expect(try await client.echo(EchoMessage(text: "x")).text == "x")
  }
}
