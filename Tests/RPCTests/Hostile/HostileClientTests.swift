import ProtobufWire
import RPC
import RPCClient
import RPCServer
import Testing

/// Something that a client must not send, and the rule that it breaks.
struct Offence: Sendable, CustomTestStringConvertible {
  var name: String
  var bytes: [UInt8]
  var rule: String
  var sendsSetup = true

  var testDescription: String { name }

  static let all: [Offence] = [
    Offence(
      name: "a frame of 64 KiB and one byte",
      bytes: RawFrames.frame(4, stream: 1, length: 65_537), rule: "frameTooLong"),
    Offence(
      name: "a frame of 4 GiB", bytes: RawFrames.frame(4, stream: 1, length: .max),
      rule: "frameTooLong"),
    Offence(
      name: "a call before SETUP", bytes: RawFrames.echo(1), rule: "setup", sendsSetup: false),
    Offence(name: "a second SETUP", bytes: RawFrames.setup, rule: "setup"),
    Offence(name: "type 0", bytes: RawFrames.frame(0), rule: "frameType"),
    Offence(name: "type 99", bytes: RawFrames.frame(99), rule: "frameType"),
    Offence(name: "END from a client", bytes: RawFrames.frame(5, stream: 1), rule: "frameType"),
    Offence(name: "an unknown flag", bytes: RawFrames.echo(1, flags: 128 | 12), rule: "flags"),
    Offence(name: "a flag out of place", bytes: RawFrames.echo(1, flags: 16 | 12), rule: "flags"),
    Offence(name: "an even stream", bytes: RawFrames.echo(2), rule: "streamID"),
    Offence(name: "a call on stream 0", bytes: RawFrames.echo(0), rule: "streamID"),
    Offence(
      name: "a stream above 2³¹ − 1", bytes: RawFrames.echo(0x8000_0001), rule: "streamID"),
    Offence(
      name: "the same stream twice", bytes: RawFrames.echo(1) + RawFrames.echo(1),
      rule: "streamID"),
    Offence(
      name: "a falling stream", bytes: RawFrames.echo(5) + RawFrames.echo(3), rule: "streamID"),
    Offence(
      name: "a header length of 11 bytes",
      bytes: RawFrames.frame(
        2, stream: 1, flags: 12, payload: [UInt8](repeating: 0x80, count: 10) + [1]),
      rule: "malformed"),
    Offence(
      name: "a header longer than its frame",
      bytes: RawFrames.frame(2, stream: 1, flags: 12, payload: [100, 0x0A, 1, 0x61]),
      rule: "malformed"),
    Offence(
      name: "a zero credit", bytes: RawFrames.frame(7, payload: [0, 0, 0, 0]), rule: "credit"),
    Offence(
      name: "a PONG without a PING",
      bytes: RawFrames.frame(9, payload: [UInt8](repeating: 1, count: 8)), rule: "pong"),
    Offence(
      name: "compression that was not agreed on",
      bytes: RawFrames.echo(1, flags: 2 | 12), rule: "compression"),
    Offence(
      name: "a message on a stream that was never opened",
      bytes: RawFrames.frame(4, stream: 7, flags: 8, payload: [1]), rule: "streamID"),
  ]
}

@Suite struct HostileClientTests {
  @Test func everyOffenceEndsItsConnectionOnlyAndIsCounted() async throws {
    try await withServer(configure: { $0.acceptsCompression = false }) { server in
      let honest = EchoServiceClient(try server.client())
      _ = try await honest.echo(EchoMessage())
      for offence in Offence.all {
        let peer = try await RawPeer.connect(server, setup: offence.sendsSetup)
        await peer.send(offence.bytes)
        let state = await peer.ended()
        #expect(state.closeCode != nil, "\(offence.name)")
        #expect(state.closeCode != 0, "\(offence.name)")
        #expect(!state.closeText.isEmpty, "\(offence.name)")
        #expect(server.violations.current.last == offence.rule, "\(offence.name)")
        #expect(try await honest.echo(EchoMessage(text: "well")).text == "well")
      }
      let counted = server.server.metrics.violations.values.reduce(0, +)
      #expect(counted == Offence.all.count)
      await until { server.server.metrics.openConnections == 1 }
    }
  }

  @Test func garbageAfterTheHandshakeEndsTheConnection() async throws {
    try await withServer { server in
      let peer = try await RawPeer.connect(server, setup: false)
      await peer.send(Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
      let state = await peer.ended()
      #expect(state.closeCode != nil)
    }
  }

  @Test func unknownExtensionFramesAreSkipped() async throws {
    try await withServer { server in
      let peer = try await RawPeer.connect(server)
      await peer.send(RawFrames.frame(200, payload: [1, 2, 3]) + RawFrames.echo(1, "after"))
      let state = await peer.answer(1)
      #expect(state.end(of: 1) == [0] + EchoMessage(text: "after").serialized())
      await peer.close()
    }
  }

  @Test func metadataAboveItsLimitsIsRefusedAndTheConnectionLives() async throws {
    try await withServer { server in
      let peer = try await RawPeer.connect(server)
      // One entry: key "k", empty ASCII value.
      let entry: [UInt8] = [0x1A, 3, 0x0A, 1, 0x6B]
      func call(_ stream: UInt32, entries: Int) -> [UInt8] {
        RawFrames.call(
          stream, "test.echo.v1.EchoService/Echo",
          fields: Array((0..<entries).map { _ in entry }.joined()))
      }
      await peer.send(call(1, entries: 128) + call(3, entries: 129))
      let state = await peer.answer(3)
      #expect(state.end(of: 1) == [0])
      // The status's code is its first field.
      #expect(state.end(of: 3)?.dropFirst().prefix(2) == [0x08, 8])
      await peer.send(RawFrames.echo(5))
      #expect(await peer.answer(5).end(of: 5)?.first == 0)
      await peer.close()
    }
  }

  @Test func aRequestThatCannotBeDecodedIsRefused() async throws {
    try await withServer { server in
      let peer = try await RawPeer.connect(server)
      // A string that isn't UTF-8, and a field that ends after the message.
      await peer.send(
        RawFrames.call(1, "test.echo.v1.EchoService/Echo", message: [0x12, 1, 0xFF])
          + RawFrames.call(3, "test.echo.v1.EchoService/Echo", message: [0x12, 9, 0x61]))
      let state = await peer.answer(3)
      for stream in [1, 3] as [UInt32] {
        #expect(state.end(of: stream)?.dropFirst().prefix(2) == [0x08, 13])
      }
      #expect(state.end == nil)
      await peer.close()
    }
  }

  @Test func aCompressionBombIsRefusedAndTheConnectionLives() async throws {
    try await withServer { server in
      let peer = try await RawPeer.connect(server)
      let zeros = [UInt8](repeating: 0, count: 48 << 20)
      let bomb = zeros.withUnsafeBytes { Deflater(level: 9).deflate($0) } ?? []
      #expect(bomb.count < 64 * 1024)
      let header = RawFrames.call(
        1, "test.echo.v1.EchoService/Echo", message: bomb, flags: 2 | 4 | 8)
      await peer.send(header + RawFrames.echo(3))
      let state = await peer.answer(3)
      #expect(state.end(of: 1)?.dropFirst().prefix(2) == [0x08, 8])
      #expect(state.end(of: 3)?.first == 0)
      await peer.close()
    }
  }
}

@Suite struct RequestCardinalityTests {
  private let method = "test.echo.v1.EchoService/Echo"

  @Test func aHalfCloseOfItsOwnIsTaken() async throws {
    try await withServer { server in
      let peer = try await RawPeer.connect(server)
      let message = EchoMessage(text: "x").serialized()
      await peer.send(
        RawFrames.call(1, method, flags: 0)
          + RawFrames.frame(4, stream: 1, flags: 8, payload: message)
          + RawFrames.frame(4, stream: 1, flags: 4))
      #expect(await peer.answer(1).end(of: 1) == [0] + message)
      await peer.close()
    }
  }

  @Test func noRequestAndTwoRequestsAreUnimplemented() async throws {
    try await withServer { server in
      let peer = try await RawPeer.connect(server)
      let wait = "test.echo.v1.EchoService/Wait"
      await peer.send(
        RawFrames.call(1, method, flags: 4) + RawFrames.call(3, method, flags: 0)
          + RawFrames.frame(4, stream: 3, flags: 4) + RawFrames.call(5, wait, flags: 8)
          + RawFrames.frame(4, stream: 5, flags: 8))
      let state = await peer.answer(5)
      for stream in [1, 3, 5] as [UInt32] {
        #expect(state.end(of: stream)?.dropFirst().prefix(2) == [0x08, 12], "stream \(stream)")
      }
      #expect(await server.handlers.gates.cancellations().count == 1)
      await peer.close()
      await until { server.server.metrics.runningHandlers == 0 }
    }
  }
}
