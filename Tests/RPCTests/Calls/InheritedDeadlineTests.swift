import RPC
import RPCClient
import RPCServer
import Testing

/// Calls that are made while a call is handled have its deadline.
@Suite struct InheritedDeadlineTests {
  /// What a nested call's handler saw: its own deadline, and the one before it.
  private struct Seen: Sendable {
    var outer = MonotonicInstant.distantFuture
    var inner = MonotonicInstant.distantFuture
  }

  /// Calls `nested` from a handler that has a deadline, and returns what both handlers saw.
  private func deadlines(
    _ transport: Transport, outer: CallOptions, nested: CallOptions
  ) async throws -> Seen {
    let seen = Locked(Seen())
    let invoker = Locked<(any CallInvoker)?>(nil)
    return try await transport.run(register: {
      $0.ask { request, context in
        guard request.text != "inner" else {
          seen.withLock { $0.inner = context.deadline }
          return request
        }
        seen.withLock { $0.outer = context.deadline }
        let called = try #require(invoker.current)
        return try await called.ask(EchoMessage(text: "inner"), options: nested)
      }
    }) { (client, _) async throws in
      invoker.withLock { $0 = client }
      #expect(CallDeadline.inherited == nil)
      _ = try await client.ask(options: outer)
      invoker.withLock { $0 = nil }
      return seen.current
    }
  }

  @Test(arguments: Transport.allCases)
  func theEarlierOneCounts(transport: Transport) async throws {
    let seen = try await deadlines(
      transport, outer: CallOptions(timeout: .seconds(100)),
      nested: CallOptions(timeout: .seconds(500)))
    #expect(seen.inner <= seen.outer.advanced(by: .seconds(30)))
  }

  @Test(arguments: Transport.allCases)
  func anOwnTimeoutCountsWhenItIsShorter(transport: Transport) async throws {
    let seen = try await deadlines(
      transport, outer: CallOptions(timeout: .seconds(1000)),
      nested: CallOptions(timeout: .seconds(100)))
    #expect(seen.inner < seen.outer.advanced(by: .seconds(-800)))
  }

  @Test(arguments: Transport.allCases)
  func thereIsAWayOut(transport: Transport) async throws {
    let seen = try await deadlines(
      transport, outer: CallOptions(timeout: .seconds(100)),
      nested: CallOptions(timeout: .seconds(1000), ignoresInheritedDeadline: true))
    #expect(seen.inner > seen.outer.advanced(by: .seconds(800)))
  }

  @Test(arguments: Transport.allCases)
  func streamsInheritAndPassOn(transport: Transport) async throws {
    let seen = Locked(Seen())
    let invoker = Locked<(any CallInvoker)?>(nil)
    try await transport.run(register: {
      $0.serve { request, responses, context in
        guard request.text != "inner" else {
          seen.withLock { $0.inner = context.deadline }
          return try await responses.send(request)
        }
        seen.withLock { $0.outer = context.deadline }
        let called = try #require(invoker.current)
        // Child tasks carry it, too.
        async let inner = called.serve(EchoMessage(text: "inner")).collect()
        for response in await inner.responses { try await responses.send(response) }
      }
    }) { (client, _) async throws in
      invoker.withLock { $0 = client }
      let stream = client.serve(options: CallOptions(timeout: .seconds(100)))
      #expect(await stream.collect().responses.count == 1)
      invoker.withLock { $0 = nil }
      #expect(seen.current.outer != .distantFuture)
      #expect(seen.current.inner <= seen.current.outer.advanced(by: .seconds(30)))
    }
  }

  @Test(arguments: Transport.allCases)
  func cancellationReachesTheNestedCall(transport: Transport) async throws {
    let gates = Gates()
    let invoker = Locked<(any CallInvoker)?>(nil)
    try await transport.run(register: {
      $0.ask { request, context in
        guard request.text != "inner" else {
          await gates.pass("never", context)
          return request
        }
        let called = try #require(invoker.current)
        return try await called.ask(EchoMessage(text: "inner"))
      }
    }) { (client, _) async throws in
      invoker.withLock { $0 = client }
      let call = Task { try await client.ask() }
      await gates.hasEntered("never")
      call.cancel()
      let error = await #expect(throws: RPCError.self) { _ = try await call.value }
      #expect(error?.code == .cancelled)
      #expect(await gates.cancellations() == [.byCaller])
      invoker.withLock { $0 = nil }
    }
  }
}
