import RPCCore
import Testing

@testable import RPCTransport

/// Connections in masses, against a real listener: what ``ConnectionAdmission`` decides is done.
@Suite("Floods of connections")
struct FloodTests {
  @Test func oneAddressHasItsOwnLimit() async throws {
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    var options = ListenerOptions()
    options.maximumConnectionsPerAddress = 3
    try await TestServer.with(certificates.server, options: options) { server in
      var open: [TestConnection] = []
      for _ in 0..<3 {
        open.append(try await TestConnection.open(server.endpoint, tls, server.group))
      }
      let error = await #expect(throws: ConnectError.self) {
        try await TestConnection.open(server.endpoint, tls, server.group)
      }
      #expect(error?.code == .closed)
      #expect(server.listener.counters.refusedByAddress == 1)
      #expect(server.listener.counters.refused == 0)
      guard case .addressRefused = await server.events.wait(for: 1)[0] else {
        Issue.record("another event")
        return
      }
      _ = await open[0].close()
      await until { server.listener.counters.open < 3 }
      let again = try await TestConnection.open(server.endpoint, tls, server.group)
      #expect(await again.echo([1]) == [1])
    }
  }

  /// Silent connections fill up the handshakes that may be under way. Accepting waits, and since
  /// the later ones of them have less time, it doesn't wait for long.
  @Test func silentConnectionsHoldUpAcceptingForAMomentOnly() async throws {
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    var options = ListenerOptions()
    options.maximumHandshakes = 4
    options.channel.handshakeTimeout = .seconds(2)
    try await TestServer.with(certificates.server, options: options) { server in
      let silent = try (0..<8).map { _ in try RawClient(port: server.port) }
      let honest = try await TestConnection.open(server.endpoint, tls, server.group)
      #expect(await honest.echo([1]) == [1])
      #expect(server.listener.counters.waits > 0)
      // All but the first two had a quarter of the time.
      #expect(server.listener.counters.handshakeTimeouts >= 5)
      for client in silent { client.reset() }
      await until { server.listener.counters.handshaking == 0 }
    }
  }

  /// More new connections than the rate allows: they come in later, and none is lost.
  @Test func connectionsAboveTheRateComeInLater() async throws {
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    var options = ListenerOptions()
    options.maximumHandshakesPerSecond = 4
    try await TestServer.with(certificates.server, options: options) { server in
      let others = try (0..<6).map { _ in try RawClient(port: server.port) }
      let connection = try await TestConnection.open(server.endpoint, tls, server.group)
      #expect(await connection.echo([1]) == [1])
      #expect(server.listener.counters.accepted == 7)
      #expect(server.listener.counters.waits > 0)
      for client in others { client.reset() }
    }
  }

  /// Many clients at once, each with a whole handshake (row 14): the loops' other connections get
  /// their turn between the steps.
  @Test func aStormOfHandshakesLeavesOpenConnectionsTheirTurn() async throws {
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    let clients = try EventLoopGroup(loops: 1)
    try await TestServer.with(certificates.server, loops: 1) { server in
      let honest = try await TestConnection.open(server.endpoint, tls, clients)
      let storm = Task {
        await withTaskGroup(of: Bool.self) { tasks in
          for _ in 0..<100 {
            tasks.addTask {
              // A context of its own: nothing to resume.
              guard
                let connection = try? await TestConnection.open(
                  server.endpoint, ClientTLS(certificates.client), clients)
              else { return false }
              _ = await connection.close()
              return true
            }
          }
          return await tasks.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
      }
      for round in 0..<50 as Range<UInt8> { #expect(await honest.echo([round]) == [round]) }
      #expect(await storm.value == 100)
      #expect(server.listener.counters.handshakes == 101)
    }
    await clients.shutdown()
  }

  private func until(_ isDone: @Sendable () -> Bool) async {
    while !isDone() { try? await Task.sleep(for: .milliseconds(1)) }
  }
}
