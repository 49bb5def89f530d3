import RPC
import RPCClient
import RPCServer
import Testing

@Suite struct HedgingTests {
  private func withHedging(
    _ service: FlakyService, _ policy: HedgingPolicy,
    _ body: (RPCClient) async throws -> Void
  ) async throws {
    try await withServer(loops: 1, register: { service.register(in: &$0) }) { server in
      let client = try server.client {
        $0.policies = CallPolicies(methods: [
          FlakyService.marked.path: .hedge(policy), FlakyService.unmarked.path: .hedge(policy),
        ])
      }
      try await body(client)
      await client.close()
    }
  }

  @Test func theFirstAnswerWinsAndTheOthersAreCancelled() async throws {
    let service = FlakyService(stuck: [0, 1])
    let policy = HedgingPolicy(maximumAttempts: 3, delay: .milliseconds(2))
    try await withHedging(service, policy) { client in
      #expect(await outcome(client, FlakyService.marked).text == "x 2")
      await until { service.seen.current.cancellations == 2 }
      #expect(service.seen.current.previousAttempts.sorted() == [0, 1, 2])
      #expect(client.metrics.hedges == 2)
    }
  }

  @Test func aFailureBringsTheNextAttemptForward() async throws {
    let service = FlakyService(failures: [RPCError(.unavailable, "not now")])
    let policy = HedgingPolicy(maximumAttempts: 2, delay: .seconds(3600))
    try await withHedging(service, policy) { client in
      #expect(await outcome(client, FlakyService.marked).text == "x 1")
    }
  }

  @Test func anotherErrorEndsTheCall() async throws {
    let service = FlakyService(failures: [RPCError(.notFound, "gone")])
    let policy = HedgingPolicy(maximumAttempts: 2, delay: .seconds(3600))
    try await withHedging(service, policy) { client in
      let result = await outcome(client, FlakyService.marked)
      #expect(result.error?.code == .notFound)
      #expect(service.seen.current.previousAttempts == [0])
    }
  }

  @Test func aMethodThatMustNotRunTwiceIsSentOnce() async throws {
    let service = FlakyService(failures: [RPCError(.unavailable, "not now")])
    try await withHedging(service, HedgingPolicy(maximumAttempts: 3, delay: .zero)) { client in
      let result = await outcome(client, FlakyService.unmarked)
      #expect(result.error?.code == .unavailable)
      #expect(service.seen.current.previousAttempts == [0])
    }
  }

  @Test func cancellingTheCallCancelsAllAttempts() async throws {
    let service = FlakyService(stuck: [0, 1])
    let policy = HedgingPolicy(maximumAttempts: 2, delay: .zero)
    try await withHedging(service, policy) { client in
      let call = Task { await outcome(client, FlakyService.marked) }
      await until { service.seen.current.previousAttempts.count == 2 }
      call.cancel()
      let result = await call.value
      #expect(result.error?.code == .cancelled)
      await until { service.seen.current.cancellations == 2 }
    }
  }
}
