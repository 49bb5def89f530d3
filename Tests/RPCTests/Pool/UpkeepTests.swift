import RPC
import RPCClient
import RPCServer
import RPCTransport
import Testing

@Suite struct UpkeepTests {
  @Test func idleConnectionsAreClosedAndMadeAgain() async throws {
    try await withServers(2) { servers, group in
      let client = try await makeClient(servers.map(\.endpoint), group) {
        $0.balancing = .roundRobin
        $0.idleTimeout = .milliseconds(20)
      }
      let stub = EchoServiceClient(client)
      for _ in 0..<3 {
        _ = try await stub.echo(EchoMessage())
        await until { client.metrics.openedConnections > 0 && client.metrics.openConnections == 0 }
      }
      #expect(client.metrics.openedConnections >= 3)
      await client.close()
    }
  }

  @Test func aCallThatLastsKeepsItsConnection() async throws {
    try await withServers(1) { servers, group in
      let client = try await makeClient(servers.map(\.endpoint), group) {
        $0.idleTimeout = .milliseconds(5)
      }
      let call = Task { try await EchoServiceClient(client).wait(WaitRequest(gate: "long")).text }
      await servers[0].handlers.gates.hasEntered("long")
      // Long enough for the pool to look several times.
      for _ in 0..<10 { await group.first.pause(.milliseconds(5)) }
      #expect(client.metrics.openConnections == 1)
      servers[0].handlers.gates.open("long")
      #expect(try await call.value == "let go")
      await until { client.metrics.openConnections == 0 }
      await client.close()
    }
  }

  @Test func connectionsThatAreKeptMadeAreNeverIdle() async throws {
    try await withServers(1) { servers, group in
      let client = try await makeClient(servers.map(\.endpoint), group) {
        $0.idleTimeout = .milliseconds(2)
      }
      try await client.connect()
      for _ in 0..<10 { await group.first.pause(.milliseconds(3)) }
      #expect(client.metrics.closedConnections == 0)
      await client.close()
    }
  }

  @Test func oldConnectionsAreReplacedWithoutAnErrorToAnyCall() async throws {
    try await withServers(1) { servers, group in
      let client = try await makeClient(servers.map(\.endpoint), group) {
        $0.maximumConnectionAge = .milliseconds(20)
      }
      let slow = Task { try await EchoServiceClient(client).wait(WaitRequest(gate: "old")).text }
      await servers[0].handlers.gates.hasEntered("old")
      while client.metrics.openedConnections < 5 {
        _ = try await EchoServiceClient(client).echo(EchoMessage())
      }
      // The first connection is still there, for the call that it has.
      #expect(client.metrics.openConnections >= 2)
      servers[0].handlers.gates.open("old")
      #expect(try await slow.value == "let go")
      await client.close()
      #expect(client.metrics.openConnections == 0)
    }
  }

  @Test func anOldConnectionStaysWhileNoOtherCanBeMade() async throws {
    try await withServers(1) { servers, group in
      let client = try await makeClient(servers.map(\.endpoint), group) {
        $0.maximumConnectionAge = .milliseconds(20)
        $0.connectionAgeJitter = 0
      }
      let stub = EchoServiceClient(client)
      _ = try await stub.echo(EchoMessage())
      await servers[0].listener.stop()
      await until { client.metrics.failedConnections[.connecting, default: 0] >= 3 }
      let text = try await stub.echo(EchoMessage(text: "still here")).text
      #expect(text == "still here")
      await client.close()
    }
  }
}

extension EventLoop {
  /// Lets time pass on the loop.
  func pause(_ duration: Duration) async {
    await withCheckedContinuation { continuation in
      post { self.schedule(at: self.now.advanced(by: duration)) { continuation.resume() } }
    }
  }
}
