import RPC
import RPCClient
import RPCServer
import RPCTransport
import Testing

/// Ends of connections that no caller notices; ends of servers are in `FailoverTests`.
@Suite("Drain under load", .timeLimit(.minutes(3)))
struct DrainUnderLoadTests {
  private func stopAll(_ clients: [RPCClient]) async {
    for client in clients { await client.close() }
  }

  @Test("Connections that end at 200 ms of age, and reloads, cost no caller an error")
  func maximumAge() async throws {
    try await withServer(configure: { $0.connection.maximumAge = .milliseconds(200) }) { server in
      let group = try EventLoopGroup(loops: 1)
      var clients: [RPCClient] = []
      for _ in 0..<4 { clients.append(try await makeClient([server.endpoint], group)) }
      let load = ConstantLoad(clients, workers: 8)
      let all = clients
      while load.current.errors.isEmpty,
        !all.allSatisfy({ $0.metrics.openedConnections >= 6 }) || load.current.answered < 1_000
      {
        await load.answers(50)
        try server.tls.reload()
      }
      let book = await load.stop()
      #expect(book.errors.map { "\($0)" } == [])
      #expect(book.answered == book.begun && book.begun >= 1_000)
      let metrics = server.server.metrics
      #expect(metrics.calls[.ok] == book.answered)
      #expect(metrics.agedConnections >= 4 * 5)
      #expect(metrics.outlivedConnections == 0 && metrics.violations == [:])
      await stopAll(clients)
      await group.shutdown()
    }
  }
}
