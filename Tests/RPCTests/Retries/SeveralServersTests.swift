import RPC
import RPCClient
import RPCServer
import RPCTransport
import Testing

/// Policies of clients with several servers.
@Suite struct SeveralServersTests {
  /// Runs a test with a client of two servers, one for each service.
  private func withPair(
    _ services: [FlakyService], _ policy: CallPolicy,
    throttle: RetryThrottle.Policy? = nil,
    _ body: (RPCClient) async throws -> Void
  ) async throws {
    var servers: [EchoServer] = []
    for service in services {
      servers.append(try await EchoServer(loops: 1, register: { service.register(in: &$0) }))
    }
    let group = try EventLoopGroup(loops: 1)
    let client = try await makeClient(servers.map(\.endpoint), group) {
      $0.balancing = .roundRobin
      $0.policies = CallPolicies(fallback: policy)
      $0.retryThrottle = throttle
    }
    try await client.connect()
    try await body(client)
    await client.close()
    for server in servers { await server.stop() }
    await group.shutdown()
  }

  private let quick = RetryPolicy(
    maximumAttempts: 3,
    backoff: Backoff(initial: .milliseconds(1), maximum: .milliseconds(2)))

  @Test func aRetryGoesToTheServerWhoseTurnItIs() async throws {
    let broken = FlakyService(
      failures: Array(repeating: RPCError(.unavailable, "broken"), count: 100))
    let sound = FlakyService()
    try await withPair([broken, sound], .retry(quick)) { client in
      for _ in 0..<20 {
        #expect(await outcome(client, FlakyService.marked).error == nil)
      }
      #expect(sound.seen.current.previousAttempts.count == 20)
    }
  }

  @Test func aHedgeGoesToAnotherServerThanTheOneThatHangs() async throws {
    let hanging = FlakyService(stuck: [0, 1, 2])
    let sound = FlakyService()
    let policy = HedgingPolicy(maximumAttempts: 2, delay: .milliseconds(1))
    try await withPair([hanging, sound], .hedge(policy)) { client in
      for _ in 0..<10 {
        #expect(await outcome(client, FlakyService.marked).error == nil)
      }
      let begun = hanging.seen.current.previousAttempts.count
      await until { hanging.seen.current.cancellations == begun }
      #expect(sound.seen.current.previousAttempts.count >= 10)
    }
  }

  @Test func closingLetsAttemptsThatAreUnderWayBeAnswered() async throws {
    try await withServer(loops: 1) { server in
      let client = try server.client {
        $0.policies = CallPolicies(fallback: .retry(self.quick))
      }
      let call = Task {
        try await EchoServiceClient(client).wait(WaitRequest(gate: "closing")).text
      }
      await server.handlers.gates.hasEntered("closing")
      async let closed: Void = client.close()
      await server.group.first.run {}
      server.handlers.gates.open("closing")
      #expect(try await call.value == "let go")
      await closed
    }
  }
}
