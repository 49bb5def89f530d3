import RPCCore
import RPCServer
import RPCTransport
import Testing

/// The time that a new connection has to say who it is.
@Suite struct SetupTimerTests {
  /// Ten thousand idle connections would else wake the loop ten thousand times, for nothing.
  @Test func whoHasSaidItInTimeWakesNobodyLater() async throws {
    let limit = Duration.milliseconds(400)
    try await withServer(loops: 1, configure: { $0.connection.setupTimeout = limit }) { server in
      let loop = server.group.first
      var peers: [RawPeer] = []
      for _ in 0..<50 { peers.append(try await RawPeer.connect(server)) }
      for peer in peers { _ = await peer.wait { !$0.frames.isEmpty } }
      let before = await loop.run { loop.passes }
      try await Task.sleep(for: limit * 2)
      let after = await loop.run { loop.passes }
      // Nothing but what looks after the loop itself.
      #expect(after - before < 10)
      for peer in peers { #expect(await peer.wait { _ in true }.end == nil) }
    }
  }
}
