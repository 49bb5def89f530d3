import CAllocations
import ProtobufWire
import RPC
import RPCClient
import RPCServer
import RPCTransport
import Testing

/// What a peer must never get: other callers' bytes, or more memory than a message may take.
@Suite struct LeakTests {
  /// Buffers are used again and again; a reply is never longer than what was encoded for it (row
  /// 33). Secrets pass through all of them, then answers of every size up to a few frames.
  @Test func noReplyCarriesBytesOfAnother() async throws {
    let canary = "canary-0f7a3b"
    try await withServer(loops: 1) { server in
      let client = EchoServiceClient(try server.client())
      let secret = String(repeating: canary, count: 6_000)
      for _ in 0..<5 {
        #expect(try await client.echo(EchoMessage(text: secret)).text == secret)
      }
      let peer = try await RawPeer.connect(server)
      let sizes = Array(0..<300) + [16_383, 16_384, 16_385, 30_000]
      for (index, size) in sizes.enumerated() {
        let stream = UInt32(2 * index + 1)
        await peer.send(RawFrames.echo(stream, String(repeating: "a", count: size)))
      }
      let last = UInt32(2 * sizes.count - 1)
      let state = await peer.answer(last)
      for (index, size) in sizes.enumerated() {
        let reply = state.end(of: UInt32(2 * index + 1))
        #expect(
          reply == [0] + EchoMessage(text: String(repeating: "a", count: size)).serialized())
      }
      #expect(!String(decoding: state.received, as: UTF8.self).contains("canary"))
      await peer.close()
    }
  }

  /// Unknown fields by the million, each of two bytes (row 8): what the server's loop allocates for
  /// them, all of it added up, is a small multiple of what came.
  @Test(.enabled(if: callocations_available()))
  func tinyFieldsByTheMillionTakeABoundedMultiple() async throws {
    try await withServer(loops: 1) { server in
      let clients = try EventLoopGroup(loops: 1)
      let client = RPCClient(
        to: server.endpoint, tls: try server.certificates.clientTLS(), group: clients)
      // Field 15, an empty sub-message, a million times: 2 MiB.
      let fields = RawFrames.repeated([0x7A, 0], doublings: 20)
      var message = EchoMessage()
      message.unknownFields = UnknownFields(bytes: fields)
      let loop = server.group.first
      let before = await loop.run { callocations_bytes() }
      let reply = try await EchoServiceClient(client).echo(message)
      let after = await loop.run { callocations_bytes() }
      #expect(reply.unknownFields.bytes.count == fields.count)
      #expect(after - before < 20 * UInt64(fields.count))
      await client.close()
      await clients.shutdown()
    }
  }

  /// Length prefixes that announce much (row 4, C22): nothing is allocated for what hasn't come.
  @Test(.enabled(if: callocations_available()))
  func announcedLengthsCostNothing() async throws {
    try await withServer(
      loops: 1, configure: { $0.connection.maximumFramePayload = 16 << 20 }
    ) { server in
      var peers: [RawPeer] = []
      for index in 0..<50 as Range<UInt32> {
        let peer = try await RawPeer.connect(server)
        await peer.send(RawFrames.echo(2 * index + 1))
        _ = await peer.answer(2 * index + 1)
        peers.append(peer)
      }
      let loop = server.group.first
      let before = await loop.run { callocations_bytes() }
      for peer in peers {
        await peer.send(RawFrames.frame(4, stream: 1, flags: 8, length: 16 << 20))
      }
      await until { server.server.metrics.receivedBytes > 0 }
      let after = await loop.run { callocations_bytes() }
      // 800 MB were announced. OpenSSL's buffers for fifty records are what is left.
      #expect(after - before < 50 * 200_000)
      for peer in peers { await peer.close() }
    }
  }

  @Test(arguments: [65_537, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF] as [UInt32])
  func lengthsAboveTheLimitEndTheConnectionAtOnce(length: UInt32) async throws {
    try await withServer { server in
      let peer = try await RawPeer.connect(
        server, opening: RawFrames.frame(4, stream: 1, flags: 8, length: length))
      #expect(await peer.ended().closeCode == 2)
      #expect(server.violations.current == ["frameTooLong"])
    }
  }

  /// A message at the limit passes, one byte more is refused (C22).
  @Test func theLimitOfAMessageIsExact() async throws {
    let limit = 100_000
    try await withServer(configure: { $0.connection.maximumMessageSize = limit }) { server in
      let client = EchoServiceClient(try server.client())
      // The payload's tag and length take four bytes.
      for (size, isRefused) in [(limit - 5, false), (limit - 4, false), (limit - 3, true)] {
        let message = EchoMessage(payload: [UInt8](repeating: 1, count: size))
        do throws(RPCError) {
          let reply = try await client.echo(message)
          #expect(!isRefused && reply.payload.count == size)
        } catch {
          #expect(isRefused && error.code == .resourceExhausted, "\(error)")
        }
      }
    }
  }
}
