import Foundation
import RPC
import RPCClient
import RPCServer
import Testing

/// A handler that holds its loop is named, whether it does so at once or after having waited.
@Suite struct WatchdogTests {
  /// What was reported.
  private let reports = Locked<[(method: String, duration: Duration)]>([])

  private func configure(_ configuration: inout ServerConfiguration) {
    configuration.deadlines.fallback = .seconds(60)
    configuration.slowHandlerThreshold = .milliseconds(20)
    configuration.onSlowHandler = { [reports] method, duration in
      reports.withLock { $0.append((method.method, duration)) }
    }
  }

  /// Holds the thread until somebody has been named; bounded in case nobody ever is.
  private func hold() {
    let end = Date(timeIntervalSinceNow: 30)
    while reports.current.isEmpty, Date() < end { usleep(1000) }
  }

  @Test func aHandlerThatBlocksAtOnceIsNamed() async throws {
    try await withServer(
      loops: 1, configure: configure,
      register: {
        $0.ask { request, _ in
          hold()
          return request
        }
      }
    ) { server in
      let client = try server.client { $0.defaultTimeout = nil }
      _ = try await EchoServiceClient(client).echo(EchoMessage())
      _ = try await client.ask()
      #expect(reports.current.first?.method == "Ask")
      #expect(reports.current.first?.duration ?? .zero >= .milliseconds(20))
      #expect(server.server.metrics.slowHandlers == 1)
    }
  }

  @Test func aHandlerThatBlocksLaterIsNamed() async throws {
    let gates = Gates()
    try await withServer(
      loops: 1, configure: configure,
      register: {
        $0.serve { _, responses, context in
          await gates.pass("go", context)
          hold()
          try await responses.send(EchoMessage())
        }
      }
    ) { server in
      let client = try server.client { $0.defaultTimeout = nil }
      let stream = client.serve()
      await gates.hasEntered("go")
      // Another method's call is the last that came in.
      _ = try await EchoServiceClient(client).echo(EchoMessage())
      gates.open("go")
      #expect(await stream.collect().error == nil)
      #expect(reports.current.first?.method == "Serve")
      #expect(server.server.metrics.slowHandlers == 1)
    }
  }

  @Test func anImmediateHandlerThatBlocksIsNamed() async throws {
    try await withServer(
      loops: 1, configure: configure,
      register: {
        $0.immediate(EchoServiceMethods.echo) { (_, _, sink) throws(RPCError) in
          hold()
          sink.write(EchoMessage(text: "immediate"))
          return .answered
        }
      }
    ) { server in
      let client = try server.client { $0.defaultTimeout = nil }
      #expect(try await EchoServiceClient(client).echo(EchoMessage()).text == "immediate")
      #expect(reports.current.first?.method == "Echo")
    }
  }

  @Test func offloadedHandlersHoldNobody() async throws {
    try await withServer(
      loops: 1, configure: configure,
      register: {
        $0.ask { request, _ in
          usleep(100_000)
          return request
        }
        $0.offload(TestMethods.ask)
      }
    ) { server in
      let client = try server.client { $0.defaultTimeout = nil }
      _ = try await client.ask()
      #expect(!reports.current.contains { $0.method == "Ask" })
    }
  }
}
