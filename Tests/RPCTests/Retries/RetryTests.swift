import RPC
import RPCClient
import RPCServer
import Testing

@Suite struct RetryTests {
  private static let quick = RetryPolicy(
    maximumAttempts: 3,
    backoff: Backoff(initial: .milliseconds(1), maximum: .milliseconds(2)))

  private func withFlaky(
    _ service: FlakyService, _ policy: CallPolicy,
    throttle: RetryThrottle.Policy? = RetryThrottle.Policy(),
    _ body: (RPCClient, EchoServer) async throws -> Void
  ) async throws {
    try await withServer(loops: 1, register: { service.register(in: &$0) }) { server in
      let client = try server.client {
        $0.policies = CallPolicies(services: ["test.Flaky": policy])
        $0.retryThrottle = throttle
      }
      try await body(client, server)
      await client.close()
    }
  }

  private func unavailable(_ pushback: RetryPushback? = nil) -> RPCError {
    RPCError(.unavailable, "not now", pushback: pushback)
  }

  @Test func aMarkedMethodIsRetriedAndTheServerIsToldHowOften() async throws {
    let service = FlakyService(failures: [unavailable(), unavailable()])
    try await withFlaky(service, .retry(Self.quick)) { client, _ in
      #expect(await outcome(client, FlakyService.marked).text == "x 2")
      #expect(service.seen.current.previousAttempts == [0, 1, 2])
      #expect(client.metrics.attempts == 3)
      #expect(client.metrics.retries == 2)
    }
  }

  @Test func theLastErrorIsTheCallers() async throws {
    let service = FlakyService(failures: [unavailable(), unavailable(), unavailable()])
    try await withFlaky(service, .retry(Self.quick)) { client, _ in
      let error = await outcome(client, FlakyService.marked).error
      #expect(error?.code == .unavailable)
      #expect(error?.message == "not now")
      #expect(error?.phase == .answered)
      #expect(service.seen.current.previousAttempts == [0, 1, 2])
    }
  }

  @Test func anUnmarkedMethodIsSentOnceUnlessThePolicyVouchesForIt() async throws {
    var service = FlakyService(failures: [unavailable()])
    try await withFlaky(service, .retry(Self.quick)) { client, _ in
      let result = await outcome(client, FlakyService.unmarked)
      #expect(result.error?.code == .unavailable)
      #expect(service.seen.current.previousAttempts == [0])
    }
    service = FlakyService(failures: [unavailable()])
    var vouching = Self.quick
    vouching.repeatsUnmarkedMethods = true
    try await withFlaky(service, .retry(vouching)) { client, _ in
      #expect(await outcome(client, FlakyService.unmarked).text == "x 1")
    }
  }

  @Test func withoutAPolicyNothingIsRetried() async throws {
    let service = FlakyService(failures: [unavailable()])
    try await withFlaky(service, .once) { client, _ in
      let result = await outcome(client, FlakyService.marked)
      #expect(result.error?.code == .unavailable)
      #expect(service.seen.current.previousAttempts == [0])
    }
  }

  @Test func aServerThatAsksForNoRetryGetsNone() async throws {
    let service = FlakyService(failures: [unavailable(.never)])
    try await withFlaky(service, .retry(Self.quick)) { client, _ in
      let result = await outcome(client, FlakyService.marked)
      #expect(result.error?.pushback == .never)
      #expect(service.seen.current.previousAttempts == [0])
    }
  }

  @Test func theServersDelayReplacesTheBackoff() async throws {
    let service = FlakyService(failures: [unavailable(.after(.milliseconds(1)))])
    // With the policy's own wait the call would meet its deadline first.
    let slow = RetryPolicy(backoff: Backoff(initial: .seconds(3600), maximum: .seconds(3600)))
    try await withFlaky(service, .retry(slow)) { client, _ in
      #expect(await outcome(client, FlakyService.marked).text == "x 1")
    }
  }

  @Test func theThrottleStopsRetriesOfAllCalls() async throws {
    let service = FlakyService(failures: Array(repeating: unavailable(), count: 100))
    try await withFlaky(
      service, .retry(Self.quick), throttle: .init(maximumTokens: 4, tokenRatio: 0.001)
    ) { client, _ in
      for _ in 0..<5 { _ = await outcome(client, FlakyService.marked) }
      // The second failure leaves the bucket half full: one retry, then none.
      #expect(service.seen.current.previousAttempts == [0, 1, 0, 0, 0, 0])
      #expect(client.metrics.retries == 1)
      #expect(client.metrics.throttled == 5)
    }
  }

  @Test func cancellingEndsACallBetweenItsAttempts() async throws {
    let service = FlakyService(failures: [unavailable(.after(.seconds(3600)))])
    try await withFlaky(service, .retry(Self.quick)) { client, _ in
      let call = Task {
        await outcome(
          client, FlakyService.marked, options: CallOptions(timeout: .seconds(7200)))
      }
      await until { client.metrics.attempts == 1 }
      call.cancel()
      let result = await call.value
      #expect(result.error?.code == .cancelled)
    }
  }

  @Test func closingEndsACallBetweenItsAttempts() async throws {
    let service = FlakyService(failures: [unavailable(.after(.seconds(3600)))])
    try await withFlaky(service, .retry(Self.quick)) { client, server in
      let call = Task {
        await outcome(
          client, FlakyService.marked, options: CallOptions(timeout: .seconds(7200)))
      }
      await until { server.server.metrics.calls[.unavailable] == 1 }
      await client.close()
      let result = await call.value
      #expect(result.error?.code == .unavailable)
    }
  }

  @Test func aCallObjectCanBeUsedAgain() async throws {
    let service = FlakyService(failures: [unavailable()])
    try await withFlaky(service, .retry(Self.quick)) { client, server in
      let outcomes = Locked<[String]>([])
      let done = Locked<CheckedContinuation<Void, Never>?>(nil)
      let box = Locked<OutgoingCall?>(nil)
      let call = OutgoingUnaryCall<EchoMessage, EchoMessage>(
        FlakyService.marked, EchoMessage(text: "again")
      ) { result in
        let count = outcomes.withLock {
          $0.append((try? result.get().message.text) ?? "failed")
          return $0.count
        }
        if count < 3, let call = box.current { return client.start(call) }
        done.withLock { $0?.resume() }
      }
      box.withLock { $0 = call }
      await withCheckedContinuation { continuation in
        done.withLock { $0 = continuation }
        client.start(call)
      }
      box.withLock { $0 = nil }
      #expect(outcomes.current == ["again 1", "again 0", "again 0"])
    }
  }
}
