import CLinux
import Testing

@testable import RPCTransport

@Suite("Events of closed channels")
struct StaleEventTests {
  /// While a child process is being started it has a copy of each descriptor. A channel that is
  /// closed meanwhile must not be reported any more: its object is gone.
  @Test func copyOfADescriptorKeepsNoChannelInTheLoop() async throws {
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    let clients = try EventLoopGroup(loops: 1)
    try await TestServer.with(certificates.server, loops: 1) { server in
      let connection = try await TestConnection.open(server.endpoint, tls, clients)
      #expect(await connection.echo([1]) == [1])
      let loop = server.group.first
      let copy = await loop.run { dup(loop.channels[0].descriptor) }
      #expect(copy >= 0)
      #expect(await connection.close(.abort).code == .aborted)
      _ = await server.ends.wait(for: 1)
      // The copy is broken for good: epoll would report it in each pass from here on.
      await loop.run {}
      let before = loop.passes
      for _ in 0..<20 { await clients.first.run {} }
      #expect(loop.passes - before <= 2)
      close(copy)
    }
    await clients.shutdown()
  }
}
