import RPC
import RPCClient
import RPCServer
import Testing

@Suite struct DrainTests {
  @Test func acceptedCallsFinishAndLaterOnesAreNotStarted() async throws {
    try await withServer { server in
      let client = EchoServiceClient(try server.client())
      let accepted = Task { try await client.wait(WaitRequest(gate: "drain")) }
      await server.handlers.gates.hasEntered("drain")
      async let isComplete = server.server.drain(within: .seconds(10))
      await until { server.server.isDraining }
      server.handlers.gates.open("drain")
      let answer = try await accepted.value
      #expect(answer.text == "let go")
      #expect(await isComplete)
      let error = await #expect(throws: RPCError.self) {
        _ = try await client.echo(EchoMessage())
      }
      #expect(error?.code == .unavailable)
      #expect(error?.wasStarted == false)
    }
  }

  @Test func underLoadEachCallHasOneOutcome() async throws {
    let started = Locked<[String: Int]>([:])
    let counted = MethodDescriptor(service: "test", method: "Counted", shape: .unary)
    try await withServer(register: { registry in
      registry.unary(counted) { (request: EchoMessage, context) in
        started.withLock { $0[request.text, default: 0] += 1 }
        await Task.yield()
        return request
      }
      registry.authorize(counted, .anyone)
    }) { server in
      let client = try server.client { $0.connections = 4 }
      try await client.connect()
      let outcomes = Locked<[String: RPCError?]>([:])
      let stop = Locked(false)
      await withTaskGroup { group in
        for worker in 0..<16 {
          group.addTask {
            var number = 0
            while !stop.current {
              let text = "\(worker)-\(number)"
              number += 1
              do throws(RPCError) {
                let _: EchoMessage = try await client.unary(counted, EchoMessage(text: text))
                outcomes.withLock { $0[text] = .some(nil) }
              } catch {
                outcomes.withLock { $0[text] = error }
                if error.code == .unavailable, number > 1_000 { return }
              }
            }
          }
        }
        await until { outcomes.current.count > 500 }
        #expect(await server.server.drain(within: .seconds(10)))
        stop.withLock { $0 = true }
      }
      let runs = started.current
      for (text, error) in outcomes.current {
        if let error {
          #expect(error.code == .unavailable)
          #expect(error.wasStarted == false)
          #expect(runs[text] == nil)
        } else {
          #expect(runs[text] == 1)
        }
      }
      #expect(outcomes.current.values.contains { $0 == nil })
    }
  }
}
