import RPC
import RPCClient
import RPCServer
import Testing

@Suite struct CancellationTests {
  @Test func cancellingTheTaskCancelsTheHandler() async throws {
    try await withServer { server in
      let client = EchoServiceClient(try server.client())
      let call = Task { try await client.wait(WaitRequest(gate: "never")) }
      await server.handlers.gates.hasEntered("never")
      call.cancel()
      let error = await #expect(throws: RPCError.self) { _ = try await call.value }
      #expect(error?.code == .cancelled)
      #expect(await server.handlers.gates.cancellations() == [.byCaller])
      #expect(server.server.metrics.cancelledCalls == 1)
    }
  }

  @Test func aTaskThatIsCancelledAlreadySendsNothing() async throws {
    try await withServer { server in
      let client = EchoServiceClient(try server.client())
      let held = Locked(false)
      let call = Task {
        // Cancelled from within, so that the call begins in a task that is cancelled.
        withUnsafeCurrentTask { $0?.cancel() }
        held.withLock { $0 = Task.isCancelled }
        return try await client.echo(EchoMessage())
      }
      let error = await #expect(throws: RPCError.self) { _ = try await call.value }
      #expect(held.current)
      #expect(error?.code == .cancelled)
      #expect(server.server.metrics.totalCalls == 0)
    }
  }

  @Test func theConnectionsLossCancelsHandlersAndFailsCalls() async throws {
    try await withServer { server in
      let client = try server.client()
      let call = Task {
        try await EchoServiceClient(client).wait(WaitRequest(gate: "never"))
      }
      await server.handlers.gates.hasEntered("never")
      #expect(await server.server.drain(within: .milliseconds(20)) == false)
      let error = await #expect(throws: RPCError.self) { _ = try await call.value }
      #expect(error?.code == .unavailable)
      #expect(error?.wasStarted == true)
      #expect(await server.handlers.gates.cancellations() == [.connectionLost])
    }
  }

  @Test func aSlotIsTakenUntilTheHandlerEnds() async throws {
    // The handler of `stubborn` ignores its cancellation.
    let stubborn = Locked<CheckedContinuation<Void, Never>?>(nil)
    let method = MethodDescriptor(service: "test", method: "Stubborn", shape: .unary)
    try await withServer(
      configure: { $0.connection.maximumConcurrentCalls = 1 },
      register: { registry in
        registry.unary(method) { (request: EchoMessage, context) in
          await withCheckedContinuation { continuation in stubborn.withLock { $0 = continuation } }
          return request
        }
        registry.authorize(method, .anyone)
      }
    ) { server in
      let client = try server.client { $0.maximumAttempts = 1 }
      let first = Task { () async throws -> EchoMessage in
        try await client.unary(method, EchoMessage())
      }
      await until { stubborn.current != nil }
      first.cancel()
      _ = await first.result
      let error = await #expect(throws: RPCError.self) {
        _ = try await EchoServiceClient(client).echo(EchoMessage())
      }
      #expect(error?.wasStarted == false)
      #expect(error?.code == .unavailable)
      #expect(server.server.metrics.notStartedCalls == 1)
      stubborn.withLock { $0?.resume() }
      await until { server.server.metrics.runningHandlers == 0 }
      let answer = try await EchoServiceClient(client).echo(EchoMessage(text: "free again"))
      #expect(answer.text == "free again")
    }
  }
}

/// Waits for something that another thread does and tells nobody: a counter that it changes. It
/// lets the threads of other tests work meanwhile.
func until(_ isDone: @Sendable () -> Bool) async {
  while !isDone() { try? await Task.sleep(for: .milliseconds(1)) }
}
