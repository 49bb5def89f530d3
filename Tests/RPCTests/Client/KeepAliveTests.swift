import ProtobufWire
import RPC
import RPCClient
import RPCCore
import RPCTransport
import Testing

/// The client's side of keep-alive, against servers that stop answering.
@Suite struct KeepAliveTests {
  private static let method = MethodDescriptor(service: "t", method: "Call", shape: .unary)

  /// A SETUP that allows a PING each millisecond.
  private static let patientSetup = RawFrames.frame(1, payload: [0x48, 1])

  private func policy(_ interval: Duration, _ timeout: Duration) -> KeepAlivePolicy {
    var policy = KeepAlivePolicy()
    policy.interval = interval
    policy.timeout = timeout
    return policy
  }

  /// Runs a test with a server made of a raw peer, and a client.
  private func withPeer(
    _ policy: KeepAlivePolicy,
    _ makePeer: @escaping @Sendable (Channel) -> RawPeer,
    _ body: (RPCClient) async throws -> Void
  ) async throws {
    let group = try EventLoopGroup(loops: 1)
    let certificates = try await TestCertificates.shared.value
    let listener = try Listener.bind(
      to: .host("127.0.0.1", port: 0), tls: certificates.serverTLS(), group: group,
      makeHandler: makePeer)
    let client = try await makeClient(
      [.host("127.0.0.1", port: listener.localAddress.port)], group
    ) { $0.connection.keepAlive = policy }
    try await body(client)
    await client.close()
    await listener.stop()
    await group.shutdown()
  }

  @Test func aPeerThatIsFrozenIsNoticed() async throws {
    // It takes the call, and reads no further.
    try await withPeer(policy(.milliseconds(5), .milliseconds(20))) { _ in
      RawPeer(
        onActive: { channel in channel.withOutput { $0.append(Self.patientSetup) } },
        onReceived: { channel, state in
          if state.frames.contains(where: { $0.header.type == .call }) {
            channel.isReadingPaused = true
          }
        })
    } _: { client in
      let error = await outcome(client, Self.method).error
      #expect(error?.code == .unavailable)
      #expect(error?.wasStarted == true)
      #expect(error?.message.contains("no PONG in time") == true)
    }
  }

  @Test func aPeerThatIsSlowKeepsItsConnection() async throws {
    // It answers the call after ten PINGs.
    try await withPeer(policy(.milliseconds(1), .seconds(60))) { _ in
      let answered = Locked(0)
      return RawPeer(
        onActive: { channel in channel.withOutput { $0.append(Self.patientSetup) } },
        onReceived: { channel, state in
          let pings = state.frames.filter { $0.header.type == .ping }
          let before = answered.withLock { count in
            defer { count = pings.count }
            return count
          }
          for ping in pings.dropFirst(before) {
            channel.withOutput { $0.append(RawFrames.frame(9, payload: ping.payload)) }
          }
          guard pings.count >= 10, before < 10 else { return }
          channel.withOutput {
            $0.append(RawFrames.end(1, message: EchoMessage(text: "at last").serialized()))
          }
        })
    } _: { client in
      #expect(await outcome(client, Self.method).text == "at last")
      #expect(client.metrics.openedConnections == 1)
    }
  }

  @Test func aPeerIsAskedNoMoreOftenThanItAllows() async throws {
    // Its SETUP allows a PING every ten seconds: the default.
    let pings = Locked(0)
    try await withPeer(policy(.milliseconds(1), .seconds(60))) { _ in
      RawPeer(
        onActive: { channel in channel.withOutput { $0.append(RawFrames.setup) } },
        onReceived: { channel, state in
          pings.withLock { $0 = state.frames.count { $0.header.type == .ping } }
          guard let call = state.frames.last, call.header.type == .call else { return }
          let stream = call.header.stream.rawValue
          channel.loop.schedule(at: channel.loop.now.advanced(by: .milliseconds(5))) {
            channel.withOutput {
              $0.append(RawFrames.end(stream, message: EchoMessage(text: "x").serialized()))
            }
          }
        })
    } _: { client in
      for _ in 0..<5 { #expect(await outcome(client, Self.method).text == "x") }
      // Before the SETUP came, one may have been sent.
      #expect(pings.current <= 1)
    }
  }
}
