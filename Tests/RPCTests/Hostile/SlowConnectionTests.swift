import Foundation
import ProtobufWire
import RPC
import RPCClient
import RPCServer
import RPCTransport
import Testing

/// Peers that stop, or go on very slowly, at each stage behind the handshake (row 10, C23). The
/// stages before it are the transport's.
@Suite struct SlowConnectionTests {
  /// Where a peer stops, and the rule that ends it.
  struct Stage: Sendable, CustomTestStringConvertible {
    var name: String
    var sendsSetup: Bool
    var bytes: [UInt8]
    var rule: String
    var testDescription: String { name }

    static let all: [Stage] = [
      Stage(name: "nothing at all", sendsSetup: false, bytes: [], rule: "setupTimeout"),
      Stage(
        name: "half of SETUP", sendsSetup: false, bytes: [0, 0, 0, 9, 0, 0, 0, 0, 1, 0, 8],
        rule: "frameTooSlow"),
      Stage(name: "half a header", sendsSetup: true, bytes: [0, 0, 0, 9, 0], rule: "frameTooSlow"),
      Stage(
        name: "a call's first bytes", sendsSetup: true,
        bytes: Array(RawFrames.echo(1, "some text").dropLast(5)), rule: "frameTooSlow"),
    ]
  }

  private func shorten(_ configuration: inout ServerConfiguration, seconds: Double = 0.2) {
    configuration.connection.frameTimeout = .seconds(seconds)
    configuration.connection.minimumFrameRate = 1_000_000
  }

  /// 500 peers at each stage. They connect within what they are given for the stage, so that most
  /// of them are stuck at the same time.
  @Test(arguments: Stage.all)
  func whoStopsIsClosedAndNobodyElse(stage: Stage) async throws {
    let count = 500
    try await withServer(
      configure: {
        shorten(&$0, seconds: 1.5)
        if stage.bytes.isEmpty { $0.connection.setupTimeout = .seconds(1.5) }
      }
    ) { server in
      let honest = EchoServiceClient(try server.client())
      _ = try await honest.echo(EchoMessage())
      var stuck: [RawPeer] = []
      for _ in 0..<count {
        stuck.append(
          try await RawPeer.connect(server, setup: stage.sendsSetup, opening: stage.bytes))
      }
      #expect(try await honest.echo(EchoMessage(text: "well")).text == "well")
      for peer in stuck { #expect(await peer.ended().closeCode == 5) }
      #expect(server.server.metrics.violations == [stage.rule: count])
      #expect(try await honest.echo(EchoMessage(text: "well")).text == "well")
      await until { server.server.metrics.openConnections == 1 }
    }
  }

  /// A byte now and then keeps no connection open.
  @Test func aTrickledBodyIsClosed() async throws {
    try await withServer(configure: { shorten(&$0) }) { server in
      let peer = try await RawPeer.connect(
        server, opening: RawFrames.frame(4, stream: 1, flags: 8, length: 60_000))
      while !peer.hasEnded {
        await peer.send([0])
        try await Task.sleep(for: .milliseconds(5))
      }
      #expect(await peer.ended().closeCode == 5)
      #expect(server.server.metrics.violations == ["frameTooSlow": 1])
    }
  }

  /// Whole frames, but the request in them never ends: also a call with many responses, which has
  /// no deadline of its own, waits for it only so long.
  @Test(arguments: ["Echo", "Repeat"])
  func aRequestThatNeverEndsIsGivenUp(method: String) async throws {
    try await withServer(configure: { $0.deadlines.fallback = .milliseconds(100) }) { server in
      let peer = try await RawPeer.connect(
        server,
        opening: RawFrames.call(
          1, "test.echo.v1.EchoService/" + method, message: [0x0A, 9], flags: 1 | 8))
      let state = await peer.answer(1)
      #expect(state.end(of: 1)?.dropFirst().prefix(2) == [0x08, 4])
      #expect(server.server.metrics.expiredCalls == 1)
      // The connection lives, and the slot is free.
      await peer.send(RawFrames.echo(3))
      #expect(await peer.answer(3).end(of: 3)?.first == 0)
      await peer.close()
    }
  }

  /// Only a prefix (C22): a connection that waits for the rest holds what came, not what was
  /// announced, and the end inside a frame is a truncation.
  @Test func aCutFrameIsCountedAsTruncated() async throws {
    try await withServer { server in
      let peer = try await RawPeer.connect(server)
      await peer.send(RawFrames.echo(1) + RawFrames.frame(4, stream: 1, flags: 8, length: 60_000))
      _ = await peer.answer(1)
      await peer.close()
      await until { server.server.metrics.openConnections == 0 }
      #expect(server.server.metrics.truncatedFrames == 1)
      #expect(server.server.metrics.truncatedConnections == 1)
      let clean = try await RawPeer.connect(server)
      await clean.send(RawFrames.echo(1))
      _ = await clean.answer(1)
      await clean.close()
      await until { server.server.metrics.openConnections == 0 }
      #expect(server.server.metrics.truncatedConnections == 1)
      #expect(server.server.metrics.connectionEnds["end-of-stream"] == 2)
    }
  }

  /// A connection that nobody uses is drained: DRAIN, then a close without an error, and a client
  /// that comes back connects again.
  @Test func anUnusedConnectionIsDrained() async throws {
    try await withServer(configure: { $0.connection.idleTimeout = .milliseconds(100) }) { server in
      let client = EchoServiceClient(try server.client())
      _ = try await client.echo(EchoMessage())
      await until { server.server.metrics.idleConnections >= 1 }
      #expect(try await client.echo(EchoMessage(text: "again")).text == "again")
      let peer = try await RawPeer.connect(server)
      let state = await peer.ended()
      #expect(state.frames.contains { $0.header.type == .drain })
      #expect(state.closeCode == 0)
      #expect(server.server.metrics.violations.isEmpty)
    }
  }

  /// A peer that froze, or whose network is gone (C29): with a call open it is asked whether it
  /// lives; one that answers is left alone.
  @Test func aFrozenPeerIsFoundByKeepAlive() async throws {
    try await withServer(
      configure: {
        $0.connection.keepAlive.interval = .milliseconds(100)
        $0.connection.keepAlive.timeout = .milliseconds(300)
        $0.deadlines.fallback = nil
      }
    ) { server in
      // The SETUP that allows a PING a millisecond.
      let setup = RawFrames.frame(1, payload: [0x48, 1])
      let frozen = try await RawPeer.connect(server, setup: false)
      let wait = WaitRequest(gate: "never").serialized()
      await frozen.send(
        setup + RawFrames.call(1, "test.echo.v1.EchoService/Wait", message: wait))
      let state = await frozen.ended()
      #expect(state.frames.contains { $0.header.type == .ping })
      #expect(state.closeCode == 5)
      #expect(server.server.metrics.violations == ["keepAliveTimeout": 1])
      #expect(await server.handlers.gates.cancellations() == [.connectionLost])
    }
  }
}
