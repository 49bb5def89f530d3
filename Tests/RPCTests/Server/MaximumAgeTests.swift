import ProtobufWire
import RPC
import RPCClient
import RPCCore
import RPCServer
import Testing

@Suite("Maximum age over TLS", .timeLimit(.minutes(2)))
struct MaximumAgeTests {
  /// A call that comes with the handshake: long before its connection is old.
  private static func call(gate: String) -> [UInt8] {
    RawFrames.call(
      1, "test.echo.v1.EchoService/Wait", message: WaitRequest(gate: gate).serialized())
  }

  @Test("At its age a connection is told to drain; what runs is answered, then it is closed")
  func drained() async throws {
    try await withServer(configure: { $0.connection.maximumAge = .milliseconds(300) }) { server in
      let peer = try await RawPeer.connect(server, opening: Self.call(gate: "age"))
      let told = await peer.wait { $0.frames.contains { $0.header.type == .drain } }
      #expect(told.closeCode == nil)
      server.handlers.gates.open("age")
      let end = await peer.ended()
      #expect(end.end(of: 1) != nil)
      #expect(end.closeCode == 0)
      #expect(server.server.metrics.agedConnections == 1)
      #expect(server.server.metrics.outlivedConnections == 0)
    }
  }

  @Test("A call that outlasts the grace time ends with its connection, and is cancelled")
  func outlived() async throws {
    // Twice as old each time, until the call is there in time, however busy the machine is.
    var age = Duration.milliseconds(250)
    repeat { age *= 2 } while try await !outlives(age) && age < .seconds(60)
    #expect(age < .seconds(60))
  }

  /// False: the connection was told to drain before the call was there.
  private func outlives(_ age: Duration) async throws -> Bool {
    try await withServer(configure: {
      $0.connection.maximumAge = age
      $0.connection.ageGrace = .milliseconds(50)
    }) { server in
      let peer = try await RawPeer.connect(server, opening: Self.call(gate: "never"))
      let end = await peer.ended()
      guard end.end(of: 1) == nil, end.closeCode != 0 else { return false }
      #expect(end.closeCode == 7)
      #expect(end.closeText.contains("maximum age"))
      #expect(await server.handlers.gates.cancellations() == [.connectionLost])
      #expect(server.server.metrics.outlivedConnections == 1)
      return true
    }
  }
}
