import Dispatch
import RPC
import RPCClient
import RPCServer
import RPCTransport
import Testing

@Suite struct DeadlineTests {
  @Test func theServerAnswersAtTheDeadlineAndCancelsTheHandler() async throws {
    try await withServer(configure: { $0.deadlines.fallback = .milliseconds(50) }) { server in
      // The client's own clock must not be first: a client that sends no deadline of its own.
      let client = EchoServiceClient(try server.client { $0.defaultTimeout = nil })
      let error = await #expect(throws: RPCError.self) {
        _ = try await client.wait(WaitRequest(gate: "never"))
      }
      #expect(error?.code == .deadlineExceeded)
      #expect(error?.phase == .answered)
      #expect(await server.handlers.gates.cancellations() == [.deadlineExceeded])
      #expect(server.server.metrics.expiredCalls == 1)
    }
  }

  @Test func theClientGivesUpAtTheDeadlineAndTheHandlerIsCancelled() async throws {
    try await withServer { server in
      let client = EchoServiceClient(try server.client())
      // On a busy machine the time may be over before the call is sent: then it is given more.
      var timeout = Duration.milliseconds(50)
      var error: RPCError?
      repeat {
        let options = CallOptions(timeout: timeout)
        error = await #expect(throws: RPCError.self) {
          _ = try await client.wait(WaitRequest(gate: "never"), options: options)
        }
        timeout *= 2
      } while error?.phase == .queued && timeout < .seconds(10)
      #expect(error?.code == .deadlineExceeded)
      #expect(await server.handlers.gates.cancellations().count == 1)
    }
  }

  /// Timeouts are no abuse, however many there are: other calls of the connection go on.
  @Test func callsThatTimeOutDoNotUseUpTheBudgetOfCancels() async throws {
    try await withServer(configure: { $0.connection.maximumConcurrentCalls = 20 }) { server in
      let client = EchoServiceClient(try server.client())
      async let last = client.wait(WaitRequest(gate: "last"))
      for round in 0..<30 {
        await withTaskGroup { group in
          for number in 0..<10 {
            group.addTask {
              _ = await #expect(throws: RPCError.self) {
                let request = WaitRequest(gate: "never \(round) \(number)")
                let options = CallOptions(timeout: .milliseconds(20))
                _ = try await client.wait(request, options: options)
              }
            }
          }
        }
      }
      #expect(server.violations.current.isEmpty)
      server.handlers.gates.open("last")
      _ = try await last
      #expect(server.server.metrics.acceptedConnections == 1)
    }
  }

  /// Of calls that come together the last ones wait for those before them.
  @Test(arguments: ["Echo", "Wait", "Chat", "Repeat", "Gather"])
  func aCallThatExpiresBeforeItsTurnIsNotRun(_ method: String) async throws {
    try await withServer { server in
      // A microsecond: over before the record that it came in is opened.
      let call = RawFrames.call(1, "test.echo.v1.EchoService/\(method)", fields: [0x10, 1])
      let peer = try await RawPeer.connect(server, opening: call)
      let end = try #require(await peer.answer(1).end(of: 1))
      #expect(String(decoding: end, as: UTF8.self).contains("before the handler began"))
      #expect(server.server.metrics.expiredCalls == 1)
      #expect(server.server.metrics.runningHandlers == 0)
    }
  }

  @Test(arguments: [Duration.zero, .seconds(-1)])
  func anExpiredCallIsNeverSent(timeout: Duration) async throws {
    try await withServer { server in
      let client = EchoServiceClient(try server.client())
      _ = try await client.echo(EchoMessage())
      let error = await #expect(throws: RPCError.self) {
        _ = try await client.echo(EchoMessage(), options: CallOptions(timeout: timeout))
      }
      #expect(error?.code == .deadlineExceeded)
      #expect(error?.wasStarted == false)
      #expect(error?.phase == .queued)
      #expect(server.server.metrics.totalCalls == 1)
      #expect((client.invoker as? RPCClient)?.metrics.expiredInQueue == 1)
    }
  }

  /// In the middle of a long pass the loop's idea of the time is older than the caller's.
  @Test func anExpiredCallIsNotSentByALoopThatIsBehind() async throws {
    try await withServer(loops: 1) { server in
      let client = EchoServiceClient(try server.client())
      _ = try await client.echo(EchoMessage())
      let loop = server.group.first
      let gate = DispatchSemaphore(value: 0)
      // Timers come before the work that others hand over.
      await withCheckedContinuation { isHeld in
        loop.post {
          loop.schedule(at: loop.now) {
            isHeld.resume()
            gate.wait()
          }
        }
      }
      // It has handed its call over when it suspends.
      let call = Task.immediate {
        try await client.echo(EchoMessage(), options: CallOptions(timeout: .zero))
      }
      gate.signal()
      let error = await #expect(throws: RPCError.self) { try await call.value }
      #expect(error?.code == .deadlineExceeded)
      #expect(error?.phase == .queued)
      #expect(server.server.metrics.totalCalls == 1)
    }
  }

  @Test func aLongTimeoutIsCutToTheServersMaximum() async throws {
    try await withServer(configure: { $0.deadlines.maximum = .milliseconds(50) }) { server in
      let client = EchoServiceClient(try server.client())
      let error = await #expect(throws: RPCError.self) {
        _ = try await client.wait(
          WaitRequest(gate: "never"), options: CallOptions(timeout: .seconds(3000)))
      }
      #expect(error?.code == .deadlineExceeded)
      #expect(error?.phase == .answered)
    }
  }
}
