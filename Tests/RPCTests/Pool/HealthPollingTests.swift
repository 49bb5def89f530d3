import RPC
import RPCClient
import RPCProto
import RPCServer
import RPCTransport
import Testing

/// The client's use of the standard health service.
@Suite struct HealthPollingTests {
  /// Answers as it is told.
  private struct Health: RPCHealth {
    let answer: Locked<Result<RPCServingStatus, RPCError>>
    let asked = Locked(0)

    func check(
      _ request: RPCHealthCheckRequest, context: ServerContext
    ) async throws -> RPCHealthCheckResponse {
      asked.withLock { $0 += 1 }
      return RPCHealthCheckResponse(status: try answer.current.get())
    }

    func watch(
      _ request: RPCHealthCheckRequest, responses: ResponseWriter<RPCHealthCheckResponse>,
      context: ServerContext
    ) async throws {
      throw RPCError(.unimplemented, "polling asks again and again")
    }
  }

  @Test(arguments: [
    Result<RPCServingStatus, RPCError>.success(.notServing), .success(.serviceUnknown),
    .failure(RPCError(.notFound, "no such service")), .failure(RPCError(.internal, "broken")),
  ])
  func whatIsNotServingGetsNoCalls(answer: Result<RPCServingStatus, RPCError>) async throws {
    let health = Health(answer: Locked(answer))
    try await withServer(
      loops: 1,
      register: {
        $0.add(health)
        $0.authorize(RPCHealthMethods.check, .anyone)
        $0.authorize(RPCHealthMethods.watch, .anyone)
      }
    ) { server in
      let client = try server.client {
        $0.health = HealthPolling(service: "test.echo.v1.EchoService", interval: .milliseconds(1))
      }
      let error = await outcome(client, EchoServiceMethods.echo).error
      #expect(error?.code == .unavailable)
      #expect(error?.wasStarted == false)
      health.answer.withLock { $0 = .success(.serving) }
      let result = await outcome(
        client, EchoServiceMethods.echo, options: CallOptions(waitsForReady: true))
      #expect(result.text == "x")
      await client.close()
      // Nobody asks any more.
      let asked = health.asked.current
      for _ in 0..<5 { await server.group.first.pause(.milliseconds(2)) }
      #expect(health.asked.current <= asked + 1)
    }
  }

  @Test func aServerWithoutTheHealthServiceServes() async throws {
    try await withServer(loops: 1) { server in
      let client = try server.client { $0.health = HealthPolling(interval: .milliseconds(1)) }
      #expect(await outcome(client, EchoServiceMethods.echo).text == "x")
      await client.close()
    }
  }
}
