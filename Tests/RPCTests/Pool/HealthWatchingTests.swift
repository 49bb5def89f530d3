import RPC
import RPCClient
import RPCProto
import RPCServer
import RPCTransport
import Testing

/// The client's use of the standard health service.
@Suite struct HealthWatchingTests {
  /// Says what it is told, and tells those who watch.
  private final class Health: RPCHealth {
    private struct State {
      var word: Result<RPCServingStatus, RPCError>
      var watchers: [AsyncStream<Result<RPCServingStatus, RPCError>>.Continuation] = []
      var ended = 0
    }

    private let state: Locked<State>

    init(_ word: Result<RPCServingStatus, RPCError>) { state = Locked(State(word: word)) }

    /// How many watches have ended.
    var ended: Int { state.current.ended }

    func say(_ word: Result<RPCServingStatus, RPCError>) {
      let watchers = state.withLock { state in
        state.word = word
        return state.watchers
      }
      for watcher in watchers { watcher.yield(word) }
    }

    func check(
      _ request: RPCHealthCheckRequest, context: ServerContext
    ) async throws -> RPCHealthCheckResponse {
      RPCHealthCheckResponse(status: try state.current.word.get())
    }

    func watch(
      _ request: RPCHealthCheckRequest, responses: ResponseWriter<RPCHealthCheckResponse>,
      context: ServerContext
    ) async throws {
      defer { state.withLock { $0.ended += 1 } }
      let (words, continuation) = AsyncStream<Result<RPCServingStatus, RPCError>>.makeStream()
      let first = state.withLock { state in
        state.watchers.append(continuation)
        return state.word
      }
      continuation.yield(first)
      for await word in words {
        try await responses.send(RPCHealthCheckResponse(status: try word.get()))
      }
    }
  }

  private func withHealth(
    _ health: Health, _ configure: (inout ClientConfiguration) -> Void = { _ in },
    _ body: (RPCClient) async throws -> Void
  ) async throws {
    try await withServer(
      loops: 1,
      register: {
        $0.add(health)
        for method in RPCHealthMethods.descriptor.methods { $0.authorize(method, .anyone) }
      }
    ) { server in
      let client = try server.client {
        $0.health = HealthWatching(
          service: "test.echo.v1.EchoService",
          backoff: Backoff(initial: .milliseconds(1), maximum: .milliseconds(5)))
        $0.defaultTimeout = .seconds(60)
        configure(&$0)
      }
      try await body(client)
      await client.close()
    }
  }

  @Test(arguments: [
    Result<RPCServingStatus, RPCError>.success(.notServing), .success(.serviceUnknown),
    .failure(RPCError(.internal, "broken")),
  ])
  func whatIsNotServingGetsNoCallsUntilItServes(
    word: Result<RPCServingStatus, RPCError>
  ) async throws {
    let health = Health(word)
    try await withHealth(health) { client in
      let error = await outcome(client, EchoServiceMethods.echo).error
      #expect(error?.code == .unavailable)
      #expect(error?.wasStarted == false)
      health.say(.success(.serving))
      let result = await outcome(
        client, EchoServiceMethods.echo, options: CallOptions(waitsForReady: true))
      #expect(result.text == "x")
      health.say(.success(.notServing))
      while await outcome(client, EchoServiceMethods.echo).error == nil {}
      #expect(client.metrics.openedConnections == 1)
    }
    // The watch has ended with the client.
    await until { health.ended >= 1 }
  }

  @Test func aWatchIsNoCallThatKeepsAConnection() async throws {
    try await withHealth(Health(.success(.serving))) {
      $0.idleTimeout = .milliseconds(20)
    } _: { client in
      #expect(await outcome(client, EchoServiceMethods.echo).text == "x")
      await until { client.metrics.openConnections == 0 }
      // One call, and not the watch.
      #expect(client.metrics.attempts == 1)
    }
  }

  @Test func aServerWithoutTheHealthServiceServes() async throws {
    try await withServer(loops: 1) { server in
      let client = try server.client { $0.health = HealthWatching() }
      #expect(await outcome(client, EchoServiceMethods.echo).text == "x")
      await client.close()
    }
  }
}
