import RPC
import RPCClient
import RPCServer
import Testing

/// Writers wait for readers, and for nobody else.
@Suite struct BackPressureTests {
  /// Nearly a window: the second doesn't fit behind the first.
  private static let message = EchoMessage(payload: [UInt8](repeating: 1, count: 60_000))

  /// How many messages were handed to a writer, and how many it has come back from.
  private struct Progress: Equatable, Sendable {
    var begun = 0
    var done = 0
  }

  @Test(arguments: Transport.allCases)
  func aHandlerWaitsUntilTheCallerReads(transport: Transport) async throws {
    let progress = Locked(Progress())
    try await transport.run(register: {
      $0.serve { _, responses, _ in
        for _ in 0..<20 {
          progress.withLock { $0.begun += 1 }
          try await responses.send(Self.message)
          progress.withLock { $0.done += 1 }
        }
      }
    }) { (invoker, _) async throws in
      let stream = invoker.serve()
      await until { progress.current.begun == 2 }
      // Other calls pass, on the same connection too; and what they could carry is there by then.
      for _ in 0..<3 {
        #expect(try await EchoServiceClient(invoker).echo(Self.message) == Self.message)
      }
      #expect(progress.current == Progress(begun: 2, done: 1))
      let (responses, error) = await stream.collect()
      #expect(error == nil)
      #expect(responses.count == 20)
      #expect(progress.current == Progress(begun: 20, done: 20))
    }
  }

  @Test(arguments: Transport.allCases)
  func aCallerWaitsUntilTheHandlerReads(transport: Transport) async throws {
    let progress = Locked(Progress())
    let gates = Gates()
    try await transport.run(register: {
      $0.gather { requests, context in
        await gates.pass("read", context)
        var count = 0
        for try await request in requests { count += request.payload.count }
        return EchoMessage(text: "\(count)")
      }
    }) { (invoker, _) async throws in
      let call = invoker.gather()
      let writer = Task {
        for _ in 0..<20 {
          progress.withLock { $0.begun += 1 }
          try await call.requests.send(Self.message)
          progress.withLock { $0.done += 1 }
        }
        call.requests.finish()
      }
      await until { progress.current.begun >= 2 }
      for _ in 0..<3 {
        #expect(try await EchoServiceClient(invoker).echo(Self.message) == Self.message)
      }
      // The first has all credit; the second may be on its way to the connection's thread.
      #expect(progress.current.done <= 2)
      gates.open("read")
      #expect(try await call.response().text == "\(20 * Self.message.payload.count)")
      try await writer.value
    }
  }
}
