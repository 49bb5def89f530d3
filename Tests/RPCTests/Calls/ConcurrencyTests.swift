import RPC
import RPCClient
import RPCServer
import RPCTransport
import Testing

@Suite struct ConcurrencyTests {
  @Test func aThousandLargeCallsAtOnce() async throws {
    try await withServer { server in
      let client = EchoServiceClient(try server.client { $0.connections = 4 })
      let right = try await withThrowingTaskGroup { group in
        for number in 0..<1000 {
          group.addTask {
            let payload = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 100_000)
            let request = EchoMessage(payload: payload, text: "\(number)")
            return try await client.echo(request) == request
          }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(right == 1000)
    }
  }

  @Test func callsAboveTheServersSlotsWaitForOne() async throws {
    try await withServer(configure: { $0.connection.maximumConcurrentCalls = 2 }) { server in
      let client = EchoServiceClient(try server.client())
      let texts = try await withThrowingTaskGroup { group in
        for _ in 0..<10 {
          group.addTask { try await client.wait(WaitRequest(gate: "slots")).text }
        }
        await server.handlers.gates.hasEntered("slots", 2)
        server.handlers.gates.open("slots")
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(texts == Array(repeating: "let go", count: 10))
    }
  }

  @Test func callsOfOneLoopStayOnIt() async throws {
    try await withServer { server in
      let client = try server.client { $0.connections = 2 }
      try await client.connect()
      let loop = server.group.loops[1]
      let onLoop: Bool = await withCheckedContinuation { continuation in
        loop.post {
          let call = OutgoingUnaryCall<EchoMessage, EchoMessage>(
            EchoServiceMethods.echo, EchoMessage(text: "x")
          ) { outcome in
            let answered = (try? outcome.get().message.text) == "x"
            continuation.resume(returning: answered && loop.isCurrent)
          }
          client.start(call)
        }
      }
      #expect(onLoop)
    }
  }

  @Test func aCallObjectMayBeStartedAgain() async throws {
    try await withServer { server in
      let client = try server.client()
      let outcomes = Locked<[String]>([])
      await withCheckedContinuation { continuation in
        let again = Locked<OutgoingUnaryCall<EchoMessage, EchoMessage>?>(nil)
        let call = OutgoingUnaryCall<EchoMessage, EchoMessage>(
          EchoServiceMethods.echo, EchoMessage(text: "again")
        ) { outcome in
          outcomes.withLock { $0.append((try? outcome.get().message.text) ?? "failed") }
          if outcomes.current.count < 100, let call = again.current {
            client.start(call)
          } else {
            again.withLock { $0 = nil }
            continuation.resume()
          }
        }
        again.withLock { $0 = call }
        client.start(call)
      }
      #expect(outcomes.current == Array(repeating: "again", count: 100))
    }
  }
}
