import ProtobufWire
import RPC
import RPCCore
import RPCServer
import RPCTransport
import Testing

/// C29: a client whose host is gone sends nothing, not even an end.
@Suite("Half-open clients", .timeLimit(.minutes(2)))
struct SilentClientTests {
  /// A SETUP that allows a PING every millisecond.
  private static let setup = RawFrames.frame(1, payload: [0x48, 1])

  private func ping(_ configuration: inout ConnectionConfiguration, withoutCalls: Bool) {
    configuration.keepAlive.interval = .milliseconds(30)
    configuration.keepAlive.timeout = .milliseconds(30)
    configuration.keepAlive.withoutCalls = withoutCalls
  }

  @Test(
    "A client that answers no PING is told so and closed, and its calls are cancelled",
    arguments: [true, false])
  func silentClient(_ hasCall: Bool) async throws {
    try await withServer(configure: { ping(&$0.connection, withoutCalls: !hasCall) }) { server in
      let peer = try await RawPeer.connect(server, setup: false)
      await peer.send(Self.setup)
      if hasCall {
        await peer.send(
          RawFrames.call(
            1, "test.echo.v1.EchoService/Wait", message: WaitRequest(gate: "x").serialized()))
      }
      let end = await peer.ended()
      #expect(end.frames.contains { $0.header.type == .ping })
      #expect(end.closeCode == 5)
      #expect(server.violations.current == ["keepAliveTimeout"])
      #expect(server.server.metrics.violations == ["keepAliveTimeout": 1])
      if hasCall {
        #expect(await server.handlers.gates.cancellations() == [.connectionLost])
      }
    }
  }

  @Test("A client that answers stays, however quiet it is")
  func answeringClient() async throws {
    try await withServer(configure: { ping(&$0.connection, withoutCalls: true) }) { server in
      let answered = Locked(0)
      let peer = RawPeer(
        onActive: { channel in channel.withOutput { $0.append(Self.setup) } },
        onReceived: { channel, state in
          let pings = state.frames.filter { $0.header.type == .ping }
          for ping in pings.dropFirst(answered.current).prefix(5 - answered.current) {
            channel.withOutput { $0.append(RawFrames.frame(9, payload: ping.payload)) }
            answered.withLock { $0 += 1 }
          }
        })
      try await peer.connect(to: server)
      // Five are answered; the sixth isn't, and ends it.
      let end = await peer.ended()
      #expect(end.frames.filter { $0.header.type == .ping }.count == 6)
      #expect(end.closeCode == 5)
    }
  }
}
