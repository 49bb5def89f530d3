import RPC
import RPCClient
import RPCServer
import RPCTransport
import Testing

/// Streams over sockets: slots, compression, lost connections, deadlines of the server.
@Suite struct StreamConnectionTests {
  @Test func earlyExitsFreeTheSlot() async throws {
    let ended = Locked(0)
    try await withServer(
      configure: { $0.connection.maximumConcurrentCalls = 1 },
      register: {
        $0.talk { requests, responses, _ in
          defer { ended.withLock { $0 += 1 } }
          try await responses.send(EchoMessage(text: "begun"))
          var iterator = requests.makeAsyncIterator()
          let how = try await iterator.next()?.text
          if how == "throw" { throw RPCError(.aborted, "as told") }
        }
      }
    ) { server in
      let client = try server.client { $0.maximumAttempts = 1 }
      for (number, how) in ["return", "throw", "return", "cancel", "drop", "throw"].enumerated() {
        let call = client.talk()
        var responses = call.responses.makeAsyncIterator()
        #expect(try await responses.next()?.text == "begun")
        switch how {
        case "cancel": call.cancel()
        case "drop": _ = consume responses
        default:
          // The call may be over before the writer is back.
          try? await call.requests.send(EchoMessage(text: how))
          do {
            _ = try await responses.next()
            #expect(how == "return")
          } catch {
            #expect(how == "throw")
          }
        }
        // The slot is free when the handler has ended, which the caller may be ahead of.
        await until { ended.current == number + 1 && server.server.metrics.runningHandlers == 0 }
        #expect(try await EchoServiceClient(client).echo(EchoMessage(text: how)).text == how)
      }
      #expect(server.server.metrics.notStartedCalls == 0)
      #expect(server.violations.current.isEmpty)
    }
  }

  @Test func aLostConnectionWakesEverybodyOnce() async throws {
    let seen = Locked<[StatusCode]>([])
    try await withServer(register: {
      $0.talk { requests, responses, _ in
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask {
            do {
              for try await _ in requests {}
            } catch {
              seen.withLock { $0.append((error as? RPCError)?.code ?? .unknown) }
            }
          }
          group.addTask {
            do {
              while true {
                try await responses.send(EchoMessage(payload: [UInt8](repeating: 1, count: 50_000)))
              }
            } catch {
              seen.withLock { $0.append((error as? RPCError)?.code ?? .unknown) }
            }
          }
          try await group.waitForAll()
        }
      }
    }) { server in
      let client = try server.client()
      let call = client.talk()
      var responses = call.responses.makeAsyncIterator()
      _ = try await responses.next()
      #expect(await server.server.drain(within: .milliseconds(20)) == false)
      await until { seen.current.count == 2 }
      #expect(seen.current == [.unavailable, .unavailable])
      let (_, error) = await call.responses.collect()
      #expect(error?.code == .unavailable)
      #expect(error?.wasStarted == true)
      let failure = await #expect(throws: RPCError.self) {
        try await call.requests.send(EchoMessage())
      }
      #expect(failure?.code == .unavailable)
    }
  }

  @Test func theServersDefaultTimeHoldsForOneResponseOnly() async throws {
    let gates = Gates()
    try await withServer(
      configure: { $0.deadlines.fallback = .milliseconds(50) },
      register: {
        $0.gather { requests, context in
          for try await _ in requests {}
          return EchoMessage()
        }
        $0.serve { _, responses, context in
          #expect(context.deadline == .distantFuture)
          await gates.pass("later", context)
          try await responses.send(EchoMessage(text: "in time"))
        }
      }
    ) { server in
      let client = try server.client { $0.defaultTimeout = nil }
      let stream = client.serve()
      await gates.hasEntered("later")
      let call = client.gather()
      let error = await #expect(throws: RPCError.self) { _ = try await call.response() }
      #expect(error?.code == .deadlineExceeded)
      #expect(error?.phase == .answered)
      #expect(server.server.metrics.expiredCalls == 1)
      gates.open("later")
      let (responses, ending) = await stream.collect()
      #expect(ending == nil)
      #expect(responses.map(\.text) == ["in time"])
    }
  }

  /// A handler that only sends stays on its connection's thread.
  @Test func sendingDoesNotChangeThreads() async throws {
    let elsewhere = Locked(0)
    let group = Locked<EventLoopGroup?>(nil)
    try await withServer(register: {
      $0.serve { _, responses, _ in
        let loops = group.current?.loops ?? []
        for number in 0..<2000 {
          try await responses.send(EchoMessage(text: "\(number)"))
          if !loops.contains(where: { $0.isCurrent }) { elsewhere.withLock { $0 += 1 } }
        }
      }
    }) { server in
      group.withLock { $0 = server.group }
      let client = try server.client()
      let (responses, error) = await client.serve().collect()
      #expect(error == nil)
      #expect(responses.count == 2000)
      #expect(elsewhere.current == 0)
      group.withLock { $0 = nil }
    }
  }

  @Test func messagesAreCompressedBothWays() async throws {
    try await withServer(configure: { $0.compressionThreshold = 1000 }) { server in
      let client = try server.client { $0.compressionThreshold = 1000 }
      _ = try await EchoServiceClient(client).echo(EchoMessage())
      let call = EchoServiceClient(client).chat()
      var responses = call.responses.makeAsyncIterator()
      let message = EchoMessage(payload: [UInt8](repeating: 9, count: 300_000))
      for _ in 0..<5 {
        try await call.requests.send(message)
        #expect(try await responses.next() == message)
      }
      call.requests.finish()
      #expect(try await responses.next() == nil)
      #expect(server.server.metrics.receivedBytes < message.payload.count)
    }
  }

  @Test func aRequestAboveTheServersLimitIsRefusedWithBothNumbers() async throws {
    try await withServer(configure: { $0.connection.maximumMessageSize = 100_000 }) { server in
      let client = try server.client()
      _ = try await EchoServiceClient(client).echo(EchoMessage())
      let call = EchoServiceClient(client).gather()
      let error = await #expect(throws: RPCError.self) {
        for _ in 0..<3 {
          try await call.requests.send(EchoMessage(payload: [UInt8](repeating: 1, count: 100_001)))
        }
      }
      #expect(error?.code == .resourceExhausted)
      // A request is missing: the call is over, and says so.
      let ending = await #expect(throws: RPCError.self) { _ = try await call.response() }
      #expect(ending?.code == .resourceExhausted)
      await until { server.server.metrics.runningHandlers == 0 }
    }
  }

  @Test func aResponseAboveTheClientsLimitFailsTheHandlersSend() async throws {
    let seen = Locked<[StatusCode]>([])
    try await withServer(register: {
      $0.serve { _, responses, _ in
        do throws(RPCError) {
          try await responses.send(EchoMessage(payload: [UInt8](repeating: 1, count: 100_001)))
        } catch {
          seen.withLock { $0.append(error.code) }
        }
        try await responses.send(EchoMessage(text: "small"))
      }
    }) { server in
      let client = try server.client { $0.connection.maximumMessageSize = 100_000 }
      let (responses, error) = await client.serve().collect()
      #expect(error == nil)
      #expect(responses.map(\.text) == ["small"])
      #expect(seen.current == [.resourceExhausted])
    }
  }

  @Test func aRefusedCallIsOpenedAgainAsLongAsNothingWasSent() async throws {
    let gates = Gates()
    try await withServer(
      configure: { $0.connection.maximumConcurrentCalls = 1 },
      register: {
        $0.serve { _, _, context in await gates.pass("first", context) }
      }
    ) { server in
      // Another client's connection has slots of its own: two connections of one client don't.
      let client = try server.client()
      let first = client.serve()
      await gates.hasEntered("first")
      let second = EchoServiceClient(client).repeat(RepeatRequest(count: 2))
      gates.open("first")
      #expect(await first.collect().error == nil)
      let (responses, error) = await second.collect()
      #expect(error == nil)
      #expect(responses.count == 2)
    }
  }
}
