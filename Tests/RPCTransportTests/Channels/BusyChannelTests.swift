import RPCCore
import Testing

@testable import RPCTransport

/// Channels in use keep their buffers, idle ones don't.
@Suite("Buffers of busy channels")
struct BusyChannelTests {
  private func busy(_ server: TestServer) async -> Int {
    await server.group.first.run { server.group.first.busyChannels.count }
  }

  private func use(_ connection: TestConnection) async {
    for _ in 0..<3 { #expect(await connection.echo([7]) == [7]) }
  }

  @Test func areGivenBackAfterUse() async throws {
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    let clients = try EventLoopGroup(loops: 1)
    try await TestServer.with(certificates.server, loops: 1) { server in
      let connection = try await TestConnection.open(server.endpoint, tls, clients)
      await use(connection)
      #expect(await busy(server) == 1)
      // The loop looks after a second and after two; then it lets go, and rests.
      let loop = server.group.first
      await loop.waitUntilNoneIsBusy()
      let isArmed = await loop.run { loop.busyTimer?.isArmed }
      #expect(isArmed == false)
      await use(connection)
      #expect(await busy(server) == 1)
      _ = await connection.close()
      _ = await server.ends.wait(for: 1)
      #expect(await busy(server) == 0)
    }
    await clients.shutdown()
  }

  @Test func areBoundedForEachLoop() async throws {
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    let clients = try EventLoopGroup(loops: 1)
    try await TestServer.with(certificates.server, loops: 1) { server in
      let loop = server.group.first
      let connection = try await TestConnection.open(server.endpoint, tls, clients)
      await use(connection)
      let fillers = await loop.run {
        let channel = loop.channels[0]
        loop.forgetBusy(channel)
        let count = EventLoop.busyChannelLimit
        loop.busyChannels = ContiguousArray(repeating: channel, count: count)
        return count
      }
      await use(connection)
      let (slot, count) = await loop.run { (loop.channels[0].busySlot, loop.busyChannels.count) }
      #expect(slot == -1)
      #expect(count == fillers)
      await loop.run { loop.busyChannels.removeAll() }
      await use(connection)
      #expect(await busy(server) == 1)
      _ = await connection.close()
    }
    await clients.shutdown()
  }
}
