import Foundation
import ProtobufWire
import RPC
import RPCClient
import RPCServer
import RPCTransport
import Testing

@Suite struct ServerMetricsTests {
  @Test func theLineIsJSONWithEveryCounter() async throws {
    try await withServer { server in
      let client = EchoServiceClient(try server.client())
      _ = try await client.echo(EchoMessage(text: "hello"))
      let peer = try await RawPeer.connect(server)
      await peer.send(RawFrames.frame(99))
      _ = await peer.ended()
      await until { server.server.metrics.openConnections == 1 }
      let line = server.server.metrics.json
      #expect(!line.contains("\n"))
      let members = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect((members["calls"] as? [String: Int]) == ["OK": 1])
      let methods = try #require(members["methods"] as? [String: [String: Any]])
      let echo = try #require(methods["test.echo.v1.EchoService/Echo"])
      #expect((echo["started"] as? Int) == 1)
      #expect((echo["answered"] as? [String: Int]) == ["OK": 1])
      #expect((members["violations"] as? [String: Int]) == ["frameType": 1])
      #expect((members["open_connections"] as? Int) == 1)
      #expect((members["connection_ends"] as? [String: Int])?.values.reduce(0, +) == 1)
      let listening = try #require(members["listening"] as? [String: Any])
      #expect((listening["handshakes"] as? Int) == 2)
      #expect((listening["open"] as? Int) ?? 0 >= 1)
    }
  }

  /// Each call is counted with its method: when it comes, and with what it is answered.
  @Test func callsAreCountedByMethod() async throws {
    try await withServer { server in
      let client = try server.client()
      let echo = EchoServiceClient(client)
      for _ in 0..<3 { _ = try await echo.echo(EchoMessage()) }
      await #expect(throws: RPCError.self) { try await echo.fail(FailRequest(code: 5)) }
      async let waiting = echo.wait(WaitRequest(gate: "g"))
      await server.handlers.gates.hasEntered("g")
      let methods = server.server.metrics.methods
      #expect(methods.count == 3)
      #expect(methods["test.echo.v1.EchoService/Echo"]?.started == 3)
      #expect(methods["test.echo.v1.EchoService/Echo"]?.answered == [.ok: 3])
      #expect(methods["test.echo.v1.EchoService/Fail"]?.answered == [.notFound: 1])
      #expect(methods["test.echo.v1.EchoService/Wait"]?.started == 1)
      #expect(methods["test.echo.v1.EchoService/Wait"]?.answered == [:])
      #expect(server.server.metrics.calls == [.ok: 3, .notFound: 1])
      server.handlers.gates.open("g")
      _ = try await waiting
      #expect(server.server.metrics.methods["test.echo.v1.EchoService/Wait"]?.answered == [.ok: 1])
    }
  }

  /// Bytes of frames, both ways, also of answers that come later than their request.
  @Test func sentAndReceivedBytesAreThoseOfTheFrames() async throws {
    try await withServer { server in
      let peer = try await RawPeer.connect(server)
      let request = RawFrames.echo(1, String(repeating: "x", count: 1_000))
      let waiting = RawFrames.call(
        3, "test.echo.v1.EchoService/Wait", message: WaitRequest(gate: "g").serialized())
      await peer.send(request + waiting)
      await server.handlers.gates.hasEntered("g")
      server.handlers.gates.open("g")
      let state = await peer.answer(3)
      #expect(
        server.server.metrics.receivedBytes
          == RawFrames.setup.count + request.count + waiting.count)
      await until { server.server.metrics.sentBytes == state.receivedCount }
      await peer.close()
    }
  }

  /// A listener that was stopped has counted for the server, too.
  @Test func countsOfAStoppedListenerStay() async throws {
    try await withServer { server in
      let client = EchoServiceClient(try server.client())
      _ = try await client.echo(EchoMessage())
      await server.server.drain(within: .seconds(5))
      #expect(server.server.metrics.listening.handshakes == 1)
      #expect(server.server.metrics.listening.open == 0)
    }
  }
}
