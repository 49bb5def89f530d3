import ProtobufWire
import RPC
import RPCClient
import RPCServer
import RPCTransport
import Testing

/// Peers that ask for much and take nothing of it (rows 11 and 12).
@Suite struct SlowReaderTests {
  private static let large = MethodDescriptor(service: "t", method: "Large", shape: .unary)

  /// Answers with 3 MiB.
  private func register(_ registry: inout MethodRegistry) {
    registry.unary(Self.large) { (_: EchoMessage, _) in
      EchoMessage(payload: [UInt8](repeating: 5, count: 3 << 20))
    }
    registry.authorize(Self.large, .anyone)
  }

  /// SETUP with the largest windows: all replies may be sent at once.
  private static let generousSetup = RawFrames.frame(
    1, payload: [0x30] + RawFrames.varint(0x7FFF_FFFF) + [0x38] + RawFrames.varint(0x7FFF_FFFF))

  private static let waitingCall = RawFrames.call(
    1, "test.echo.v1.EchoService/Wait", message: WaitRequest(gate: "never").serialized())

  /// It never reads its socket: when the socket is full and stays full, the connection is reset and
  /// its handlers are cancelled.
  @Test func whoReadsNothingIsResetAndItsHandlersAreCancelled() async throws {
    try await withServer(
      configure: {
        $0.channel.writeStallTimeout = .milliseconds(300)
        $0.deadlines.fallback = nil
      }, register: register
    ) { server in
      let peer = try await RawPeer.connect(server, setup: false, reads: false)
      let calls = (1...8).flatMap { RawFrames.call(UInt32(2 * $0 + 1), "t/Large") }
      await peer.send(Self.generousSetup + Self.waitingCall + calls)
      await until { server.server.metrics.connectionEnds["write-stalled"] == 1 }
      #expect(await server.handlers.gates.cancellations() == [.connectionLost])
      await until { server.server.metrics.openConnections == 0 }
      await until { server.server.metrics.runningHandlers == 0 }
      // Far less than the 24 MiB of replies went into the socket: the rest was never written.
      #expect(server.server.metrics.sentBytes < 20 << 20)
      await peer.close(.abort)
    }
  }

  /// It reads, but gives no credit: its calls' deadlines bound how long the replies are held.
  @Test func whoGivesNoCreditForAReplyIsClosed() async throws {
    try await withServer(
      configure: {
        $0.deadlines.fallback = .milliseconds(100)
        $0.connection.replyTimeout = .milliseconds(200)
      }, register: register
    ) { server in
      let peer = try await RawPeer.connect(server)
      await peer.send(RawFrames.call(1, "t/Large"))
      let state = await peer.ended()
      #expect(state.closeCode == 5)
      #expect(state.closeText.contains("reply"))
      #expect(server.server.metrics.violations == ["replyNotTaken": 1])
    }
  }

  /// PINGs whose PONGs nobody reads take no memory beyond the bound (row 12), however large the
  /// budget for PINGs is. The peer's own SETUP is read so that the server may answer.
  @Test func pongsThatNobodyReadsAreBounded() async throws {
    try await withServer(
      configure: {
        $0.connection.abuse.pings = Int(Int32.max)
        $0.connection.abuse.controlFrames = Int(Int32.max)
        $0.connection.outputLimit = 100_000
      }
    ) { server in
      let peer = try await RawPeer.connect(server, reads: false)
      let ping = RawFrames.frame(8, payload: [1, 2, 3, 4, 5, 6, 7, 8])
      let pings = RawFrames.repeated(ping, doublings: 13)
      // What the sockets hold comes on top: some megabytes at most, so 15 MB are enough.
      for _ in 0..<100 where server.violations.current.isEmpty { await peer.send(pings) }
      await until {
        !server.violations.current.isEmpty || server.server.metrics.openConnections == 0
      }
      #expect(server.violations.current == ["notReading"])
      await peer.close(.abort)
      await until { server.server.metrics.openConnections == 0 }
    }
  }

  @Test func pingsBeyondTheBudgetEndTheConnection() async throws {
    try await withServer { server in
      let peer = try await RawPeer.connect(server)
      let ping = RawFrames.frame(8, payload: [UInt8](repeating: 9, count: 8))
      await peer.send([[UInt8]](repeating: ping, count: 101).flatMap { $0 })
      let state = await peer.ended()
      #expect(state.frames.filter { $0.header.type == .pong }.count == 100)
      #expect(state.closeCode == 4)
      #expect(server.violations.current == ["pingBudget"])
    }
  }

  /// Frames that carry nothing, each kind in a mass of its own.
  @Test(arguments: [
    ("emptyMessageBudget", RawFrames.frame(4, stream: 1, flags: 8)),
    ("extensionBudget", RawFrames.frame(200)),
    ("controlBudget", RawFrames.frame(7, payload: [0, 0, 0, 1])),
    ("lateFrameBudget", RawFrames.frame(4, stream: 3, flags: 8, payload: [1])),
  ])
  func emptyFramesBeyondTheirBudgetEndTheConnection(rule: String, frame: [UInt8]) async throws {
    try await withServer(
      configure: {
        $0.connection.abuse.emptyMessages = 300
        $0.connection.abuse.extensionFrames = 300
        $0.connection.abuse.controlFrames = 300
        $0.connection.abuse.lateFrames = 300
      }
    ) { server in
      let peer = try await RawPeer.connect(server)
      // Stream 1 waits for its request; stream 3 is over.
      await peer.send(
        RawFrames.call(1, "test.echo.v1.EchoService/Echo", flags: 0) + RawFrames.echo(3))
      _ = await peer.answer(3)
      await peer.send([[UInt8]](repeating: frame, count: 1_000).flatMap { $0 })
      #expect(await peer.ended().closeCode == 4)
      #expect(server.violations.current == [rule])
    }
  }
}
