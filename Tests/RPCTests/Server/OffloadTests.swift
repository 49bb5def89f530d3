import Foundation
import RPC
import RPCClient
import RPCServer
import Testing

/// Handlers on worker threads: they may block, and nobody else notices.
@Suite struct OffloadTests {
  /// Blocks a thread until it is let go.
  private final class Latch: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    let entered = Locked(0)

    func wait() {
      entered.withLock { $0 += 1 }
      // A bound in case the test fails: nobody should get there.
      _ = semaphore.wait(timeout: .now() + .seconds(60))
    }

    func open(_ count: Int = 1) { for _ in 0..<count { semaphore.signal() } }
  }

  private static func longDeadlines(_ configuration: inout ServerConfiguration) {
    configuration.deadlines.fallback = .seconds(60)
  }

  @Test func aBlockedHandlerHoldsNoLoop() async throws {
    let latch = Latch()
    try await withServer(
      loops: 1, configure: Self.longDeadlines,
      register: {
        $0.ask { request, context in
          latch.wait()
          try context.trailingMetadata.add("who", context.metadata.first("who") ?? "")
          return request
        }
        $0.offload(TestMethods.ask)
      }
    ) { server in
      let client = try server.client { $0.defaultTimeout = nil }
      var options = CallOptions()
      try options.metadata.add("who", "me")
      async let blocked: ClientResponse<EchoMessage> = client.unaryResponse(
        TestMethods.ask, EchoMessage(text: "x"), options: options)
      await until { latch.entered.current == 1 }
      #expect(try await EchoServiceClient(client).echo(EchoMessage(text: "y")).text == "y")
      latch.open()
      let response = try await blocked
      #expect(response.message.text == "x")
      #expect(response.trailingMetadata.first("who") == "me")
    }
  }

  @Test func theDeadlineHoldsForBusyCode() async throws {
    let latch = Latch()
    try await withServer(
      loops: 1, configure: { $0.deadlines.maximum = .milliseconds(50) },
      register: {
        $0.ask { request, _ in
          latch.wait()
          return request
        }
        $0.offload(TestMethods.ask)
      }
    ) { server in
      let client = try server.client()
      // On a busy machine the time may be over before a worker has begun: then once more.
      repeat {
        let error = await #expect(throws: RPCError.self) {
          _ = try await client.ask(options: CallOptions(timeout: .seconds(3000)))
        }
        #expect(error?.code == .deadlineExceeded)
        #expect(error?.phase == .answered)
      } while latch.entered.current == 0
      // The handler goes on, and what it answers is dropped.
      #expect(server.server.metrics.runningHandlers > 0)
      latch.open()
      await until { server.server.metrics.runningHandlers == 0 }
    }
  }

  @Test func aCallThatExpiresInTheQueueIsNotRun() async throws {
    let latch = Latch()
    let began = Locked<[String]>([])
    try await withServer(
      loops: 1,
      configure: {
        $0.offload.threads = 1
        Self.longDeadlines(&$0)
      },
      register: {
        $0.ask { request, _ in
          began.withLock { $0.append(request.text) }
          latch.wait()
          return request
        }
        $0.offload(TestMethods.ask)
      }
    ) { server in
      let client = try server.client { $0.defaultTimeout = nil }
      async let first = client.ask(EchoMessage(text: "first"))
      await until { latch.entered.current == 1 }
      let second = Task { try await client.ask(EchoMessage(text: "second")) }
      await until { server.server.metrics.runningHandlers == 2 }
      second.cancel()
      _ = await second.result
      await until { server.server.metrics.cancelledCalls == 1 }
      // Answered behind the cancellation: all that it brings about is done by then.
      _ = try await EchoServiceClient(client).echo(EchoMessage())
      latch.open()
      #expect(try await first.text == "first")
      await until { server.server.metrics.unstartedCalls == 1 }
      #expect(began.current == ["first"])
      await until { server.server.metrics.runningHandlers == 0 }
    }
  }

  @Test func aFullQueueRefusesWithItsLimit() async throws {
    let latch = Latch()
    try await withServer(
      loops: 1,
      configure: {
        $0.offload.threads = 1
        $0.offload.queueLimit = 1
        Self.longDeadlines(&$0)
      },
      register: {
        $0.ask { request, _ in
          latch.wait()
          return request
        }
        $0.offload(TestMethods.ask)
      }
    ) { server in
      let client = try server.client { $0.defaultTimeout = nil }
      async let first = client.ask()
      await until { latch.entered.current == 1 }
      async let second = client.ask()
      await until { server.server.metrics.runningHandlers == 2 }
      let error = await #expect(throws: RPCError.self) { _ = try await client.ask() }
      #expect(error?.code == .resourceExhausted)
      #expect(error?.message.contains("queueLimit") == true)
      latch.open(2)
      _ = try await (first, second)
    }
  }

  @Test func streamsOfOffloadedHandlersAnswerThroughTheLoop() async throws {
    try await withServer(
      configure: Self.longDeadlines,
      register: {
        $0.talk { requests, responses, _ in
          for try await request in requests { try await responses.send(request) }
        }
        $0.gather { requests, _ in
          var count = 0
          for try await request in requests { count += request.payload.count }
          throw RPCError(.dataLoss, "\(count)")
        }
        $0.offload(TestMethods.talk)
        $0.offload(TestMethods.gather)
      }
    ) { server in
      let client = try server.client { $0.defaultTimeout = nil }
      let message = EchoMessage(payload: [UInt8](repeating: 1, count: 40_000))
      let call = client.talk()
      let writer = Task {
        for _ in 0..<50 { try await call.requests.send(message) }
        call.requests.finish()
      }
      let (responses, error) = await call.responses.collect()
      #expect(error == nil)
      #expect(responses.count == 50)
      try await writer.value
      let gathering = client.gather()
      for _ in 0..<5 { try await gathering.requests.send(message) }
      gathering.requests.finish()
      let failure = await #expect(throws: RPCError.self) { _ = try await gathering.response() }
      #expect(failure?.message == "200000")
      #expect(failure?.code == .dataLoss)
    }
  }

  @Test func cancellationReachesAnOffloadedHandler() async throws {
    let gates = Gates()
    try await withServer(
      configure: Self.longDeadlines,
      register: {
        $0.ask { request, context in
          await gates.pass("never", context)
          #expect(context.isCancelled)
          await until { Task.isCancelled }
          return request
        }
        $0.offload(TestMethods.ask)
      }
    ) { server in
      let client = try server.client { $0.defaultTimeout = nil }
      let call = Task { try await client.ask() }
      await gates.hasEntered("never")
      call.cancel()
      _ = await call.result
      #expect(await gates.cancellations() == [.byCaller])
      await until { server.server.metrics.runningHandlers == 0 }
    }
  }
}
