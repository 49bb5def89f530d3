import RPC
import RPCClient
import RPCServer
import Testing

/// Ends that come early: whoever waits is told once, and what was held is free again.
@Suite struct StreamEndTests {
  /// Waits for its cancellation after having sent a response.
  private static func waiting(
    _ gates: Gates
  )
    -> @Sendable (
      RequestStream<EchoMessage>, ResponseWriter<EchoMessage>, ServerContext
    ) async throws -> Void
  {
    { _, responses, context in
      try await responses.send(EchoMessage(text: "begun"))
      await gates.pass("never", context)
      #expect(context.isCancelled)
      await until { Task.isCancelled }
    }
  }

  @Test(arguments: Transport.allCases)
  func cancelAfterBegin(transport: Transport) async throws {
    let gates = Gates()
    try await transport.run(register: { $0.talk(Self.waiting(gates)) }) {
      (invoker, _) async throws in
      let call = invoker.talk()
      await gates.hasEntered("never")
      call.cancel()
      #expect(await call.responses.collect().error?.code == .cancelled)
      #expect(await gates.cancellations() == [.byCaller])
      let failure = await #expect(throws: RPCError.self) {
        try await call.requests.send(EchoMessage())
      }
      #expect(failure?.code == .cancelled)
    }
  }

  @Test(arguments: Transport.allCases)
  func cancelAfterTheFirstResponse(transport: Transport) async throws {
    let gates = Gates()
    try await transport.run(register: { $0.talk(Self.waiting(gates)) }) {
      (invoker, _) async throws in
      let call = invoker.talk()
      var responses = call.responses.makeAsyncIterator()
      #expect(try await responses.next()?.text == "begun")
      call.cancel()
      let error = await #expect(throws: RPCError.self) { _ = try await responses.next() }
      #expect(error?.code == .cancelled)
      #expect(await gates.cancellations() == [.byCaller])
    }
  }

  @Test(arguments: Transport.allCases)
  func cancellingTheIteratingTaskCancelsTheCall(transport: Transport) async throws {
    let gates = Gates()
    try await transport.run(register: { $0.talk(Self.waiting(gates)) }) {
      (invoker, _) async throws in
      let call = invoker.talk()
      let reader = Task { await call.responses.collect() }
      await gates.hasEntered("never")
      reader.cancel()
      #expect(await reader.value.error?.code == .cancelled)
      #expect(await gates.cancellations() == [.byCaller])
    }
  }

  @Test(arguments: Transport.allCases)
  func leavingTheLoopCancelsTheCall(transport: Transport) async throws {
    let gates = Gates()
    try await transport.run(register: { $0.talk(Self.waiting(gates)) }) {
      (invoker, _) async throws in
      let call = invoker.talk()
      for try await _ in call.responses { break }
      #expect(await gates.cancellations() == [.byCaller])
    }
  }

  @Test(arguments: Transport.allCases)
  func droppingTheCallCancelsIt(transport: Transport) async throws {
    let gates = Gates()
    try await transport.run(register: { $0.talk(Self.waiting(gates)) }) {
      (invoker, _) async throws in
      let call = invoker.talk()
      await gates.hasEntered("never")
      _ = consume call
      #expect(await gates.cancellations() == [.byCaller])
    }
  }

  @Test(arguments: Transport.allCases)
  func cancellationReachesAHandlerThatReads(transport: Transport) async throws {
    let seen = Locked<[StatusCode]>([])
    let gates = Gates()
    try await transport.run(register: {
      $0.talk { requests, responses, context in
        try await responses.send(EchoMessage())
        do {
          for try await _ in requests {}
        } catch {
          seen.withLock { $0.append((error as? RPCError)?.code ?? .unknown) }
          throw error
        }
      }
    }) { (invoker, _) async throws in
      let call = invoker.talk()
      var responses = call.responses.makeAsyncIterator()
      _ = try await responses.next()
      call.cancel()
      await until { seen.current == [.cancelled] }
      gates.open("unused")
    }
  }

  @Test(arguments: Transport.allCases)
  func cancellationReachesAHandlerThatWrites(transport: Transport) async throws {
    let seen = Locked<[StatusCode]>([])
    try await transport.run(register: {
      $0.serve { _, responses, _ in
        do {
          while true {
            try await responses.send(EchoMessage(payload: [UInt8](repeating: 1, count: 50_000)))
          }
        } catch {
          seen.withLock { $0.append((error as? RPCError)?.code ?? .unknown) }
        }
      }
    }) { (invoker, _) async throws in
      let stream = invoker.serve()
      var responses = stream.makeAsyncIterator()
      _ = try await responses.next()
      stream.cancel()
      await until { seen.current == [.cancelled] }
    }
  }

  @Test(arguments: Transport.allCases)
  func aHandlerThatLeavesEarlyWakesTheWriter(transport: Transport) async throws {
    try await transport.run(register: {
      $0.gather { requests, _ in
        var iterator = requests.makeAsyncIterator()
        return EchoMessage(text: try await iterator.next()?.text ?? "")
      }
    }) { (invoker, _) async throws in
      let call = invoker.gather()
      let failure = await #expect(throws: RPCError.self) {
        while true {
          try await call.requests.send(
            EchoMessage(payload: [UInt8](repeating: 1, count: 50_000), text: "first"))
        }
      }
      #expect(failure?.code == .cancelled)
      #expect(failure?.phase == .answered)
      #expect(try await call.response().text == "first")
    }
  }

  @Test(arguments: Transport.allCases)
  func theDeadlineAnswersForAHandlerThatReads(transport: Transport) async throws {
    let seen = Locked<[StatusCode]>([])
    // The server cuts a long timeout: its clock is first, and the handler has begun by then.
    try await transport.run(
      configure: { $0.deadlines.maximum = .milliseconds(50) },
      register: {
        $0.gather { requests, _ in
          do {
            for try await _ in requests {}
          } catch {
            seen.withLock { $0.append((error as? RPCError)?.code ?? .unknown) }
          }
          return EchoMessage()
        }
      }
    ) { (invoker, _) async throws in
      let call = invoker.gather(options: CallOptions(timeout: .seconds(3000)))
      let error = await #expect(throws: RPCError.self) { _ = try await call.response() }
      #expect(error?.code == .deadlineExceeded)
      await until { seen.current == [.deadlineExceeded] }
    }
  }

  @Test(arguments: Transport.allCases)
  func theDeadlineAnswersForAHandlerThatWrites(transport: Transport) async throws {
    let seen = Locked<[StatusCode]>([])
    try await transport.run(
      configure: { $0.deadlines.maximum = .milliseconds(50) },
      register: {
        $0.serve { _, responses, _ in
          do {
            while true {
              try await responses.send(EchoMessage(payload: [UInt8](repeating: 1, count: 50_000)))
            }
          } catch {
            seen.withLock { $0.append((error as? RPCError)?.code ?? .unknown) }
            throw error
          }
        }
      }
    ) { (invoker, _) async throws in
      // Nobody reads: the handler waits for credit until the time is over.
      let stream = invoker.serve(options: CallOptions(timeout: .seconds(3000)))
      await until { seen.current == [.deadlineExceeded] }
      #expect(await stream.collect().error?.code == .deadlineExceeded)
    }
  }

  @Test(arguments: Transport.allCases)
  func onlyOneTaskMayRead(transport: Transport) async throws {
    try await transport.run { (invoker, _) async throws in
      let call = EchoServiceClient(invoker).chat()
      async let first = call.responses.collect()
      async let second = call.responses.collect()
      // The one that comes second is refused, and its going away cancels the call.
      let codes = await [first, second].map { $0.error?.code.rawValue }
      #expect(codes.sorted { $0 ?? 0 < $1 ?? 0 } == [1, 13])
    }
  }
}
