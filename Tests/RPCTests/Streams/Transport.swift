import RPC
import RPCClient
import RPCServer

/// What carries a test's calls.
enum Transport: CaseIterable, Sendable {
  case sockets
  case inProcess

  /// Runs a test with the test service, and what `register` adds.
  func run<Result>(
    clientInterceptors: [any ClientInterceptor] = [],
    configure change: (inout ServerConfiguration) -> Void = { _ in },
    register: (inout MethodRegistry) -> Void = { _ in },
    _ body: (any CallInvoker, EchoHandlers) async throws -> Result
  ) async throws -> Result {
    switch self {
    case .sockets:
      return try await withServer(configure: change, register: register) { server in
        let client = try server.client {
          $0.interceptors = clientInterceptors
          $0.defaultTimeout = nil
        }
        return try await body(client, server.handlers)
      }
    case .inProcess:
      let handlers = EchoHandlers()
      var registry = EchoServer.registry(handlers)
      register(&registry)
      var server = ServerConfiguration.patient
      change(&server)
      var configuration = InProcessTransport.Configuration()
      configuration.serverInterceptors = server.interceptors
      configuration.clientInterceptors = clientInterceptors
      if let fallback = server.deadlines.fallback { configuration.defaultTimeout = fallback }
      if let maximum = server.deadlines.maximum { configuration.maximumTimeout = maximum }
      return try await body(
        try InProcessTransport(registry, configuration: configuration), handlers)
    }
  }
}

/// Methods for handlers that a test writes itself.
enum TestMethods {
  static let ask = MethodDescriptor(service: "test", method: "Ask", shape: .unary)
  static let serve = MethodDescriptor(service: "test", method: "Serve", shape: .serverStreaming)
  static let gather = MethodDescriptor(service: "test", method: "Gather", shape: .clientStreaming)
  static let talk = MethodDescriptor(service: "test", method: "Talk", shape: .bidirectional)
}

/// Handlers of `TestMethods`, for anyone.
extension MethodRegistry {
  mutating func ask(
    _ handler: @escaping @Sendable (EchoMessage, ServerContext) async throws -> EchoMessage
  ) {
    unary(TestMethods.ask, handler)
    authorize(TestMethods.ask, .anyone)
  }

  mutating func serve(
    _ handler:
      @escaping @Sendable (EchoMessage, ResponseWriter<EchoMessage>, ServerContext) async throws
      -> Void
  ) {
    serverStreaming(TestMethods.serve, handler)
    authorize(TestMethods.serve, .anyone)
  }

  mutating func gather(
    _ handler:
      @escaping @Sendable (RequestStream<EchoMessage>, ServerContext) async throws -> EchoMessage
  ) {
    clientStreaming(TestMethods.gather, handler)
    authorize(TestMethods.gather, .anyone)
  }

  mutating func talk(
    _ handler:
      @escaping @Sendable (
        RequestStream<EchoMessage>, ResponseWriter<EchoMessage>, ServerContext
      ) async throws -> Void
  ) {
    bidirectional(TestMethods.talk, handler)
    authorize(TestMethods.talk, .anyone)
  }
}

/// Calls of `TestMethods`.
extension CallInvoker {
  func ask(
    _ request: EchoMessage = EchoMessage(), options: CallOptions = CallOptions()
  ) async throws(RPCError) -> EchoMessage {
    try await unary(TestMethods.ask, request, options: options)
  }

  func serve(
    _ request: EchoMessage = EchoMessage(), options: CallOptions = CallOptions()
  ) -> ResponseStream<EchoMessage> {
    serverStreaming(TestMethods.serve, request, options: options)
  }

  func gather(
    options: CallOptions = CallOptions()
  ) -> ClientStreamingCall<EchoMessage, EchoMessage> {
    clientStreaming(TestMethods.gather, options: options)
  }

  func talk(
    options: CallOptions = CallOptions()
  ) -> BidirectionalCall<EchoMessage, EchoMessage> {
    bidirectional(TestMethods.talk, options: options)
  }
}

extension ResponseStream {
  /// All responses; the error in their place when one ends the stream.
  func collect() async -> (responses: [Response], error: RPCError?) {
    var responses: [Response] = []
    do throws(RPCError) {
      for try await response in self { responses.append(response) }
    } catch {
      return (responses, error)
    }
    return (responses, nil)
  }
}
