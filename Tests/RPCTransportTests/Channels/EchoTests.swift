import RPCCore
import RPCTransport
import Testing

@Suite("Bytes over TLS on loopback")
struct EchoTests {
  @Test func smallMessagesComeBack() async throws {
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    try await TestServer.with(certificates.server) { server in
      let connection = try await TestConnection.open(server.endpoint, tls, server.group)
      for size in [1, 2, 63, 200, 4096] {
        let bytes = pattern(size)
        #expect(await connection.echo(bytes) == bytes)
      }
      let security = await connection.security
      #expect(security.version == .v1_3)
      #expect(security.cipher == "TLS_AES_128_GCM_SHA256")
      #expect(security.group == "X25519")
      #expect(security.applicationProtocol == testProtocol)
      #expect(await connection.close().code == .closed)
      #expect(await server.ends.wait(for: 1).map(\.code) == [.endOfStream])
    }
  }

  /// 64 MiB there and back at the same time: neither direction may wait for the other (C3).
  @Test func largeTransfersRunBothWaysAtOnce() async throws {
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    let total = 64 << 20
    try await TestServer.with(certificates.server) { server in
      var options = ChannelOptions()
      options.outputLimit = 2 * total
      let connection = try await TestConnection.open(
        server.endpoint, tls, server.group, options: options, keepsBytes: false)
      let chunk = pattern(1 << 20)
      for _ in 0..<(total / chunk.count) { await connection.send(chunk) }
      #expect(await connection.receiveCount(total) == total)
      #expect(await connection.close().code == .closed)
    }
  }

  /// The bytes themselves survive being cut into records and passes.
  @Test func largeMessageIsUnchanged() async throws {
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    try await TestServer.with(certificates.server) { server in
      let connection = try await TestConnection.open(server.endpoint, tls, server.group)
      let bytes = pattern(3_000_001)
      #expect(await connection.echo(bytes) == bytes)
    }
  }

  @Test func manyConnectionsAtOnce() async throws {
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    try await TestServer.with(certificates.server) { server in
      let right = try await withThrowingTaskGroup(of: Int.self) { tasks in
        for number in 0..<100 {
          tasks.addTask {
            let connection = try await TestConnection.open(server.endpoint, tls, server.group)
            var right = 0
            for round in 0..<5 {
              let bytes = pattern(100 + number * round, seed: UInt8(number))
              if await connection.echo(bytes) == bytes { right += 1 }
            }
            _ = await connection.close()
            return right
          }
        }
        return try await tasks.reduce(0, +)
      }
      #expect(right == 500)
      #expect(await server.ends.wait(for: 100).allSatisfy { $0.code == .endOfStream })
      #expect(server.listener.counters.accepted == 100)
      #expect(server.listener.counters.handshakes == 100)
    }
  }

  /// A handler that waits for whole frames gets the beginning again together with the rest.
  @Test func unconsumedBytesArePresentedAgain() async throws {
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    try await TestServer.with(
      certificates.server, handler: { _, ends in FrameHandler(ends, frame: 70_000) }
    ) { server in
      let connection = try await TestConnection.open(server.endpoint, tls, server.group)
      let bytes = pattern(140_000)
      for start in stride(from: 0, to: bytes.count, by: 9_999) {
        await connection.send(Array(bytes[start..<min(start + 9_999, bytes.count)]))
      }
      #expect(await connection.receive(140_000) == bytes)
      _ = await connection.close()
      #expect(await server.ends.wait(for: 1)[0].unconsumedBytes == 0)
    }
  }

  @Test func bytesThatAreNeverConsumedEndTheChannel() async throws {
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    try await TestServer.with(
      certificates.server, handler: { _, ends in FrameHandler(ends, frame: .max) }
    ) { server in
      let connection = try await TestConnection.open(server.endpoint, tls, server.group)
      await connection.send(pattern(Channel.maximumUnconsumedBytes + 1))
      #expect(await server.ends.wait(for: 1)[0].code == .inputLimit)
      _ = await connection.ended()
    }
  }
}

/// Consumes whole frames of a fixed size only, and sends them back.
private final class FrameHandler: ChannelHandler {
  private let ends: EndLog
  private let frame: Int

  init(_ ends: EndLog, frame: Int) {
    self.ends = ends
    self.frame = frame
  }

  func channelReceived(_ channel: Channel, bytes: UnsafeRawBufferPointer) -> Int {
    var consumed = 0
    while bytes.count - consumed >= frame {
      channel.withOutput {
        $0.append(UnsafeRawBufferPointer(rebasing: bytes[consumed..<(consumed + frame)]))
      }
      consumed += frame
    }
    return consumed
  }

  func channelEnded(_ channel: Channel, reason: ChannelEnd) {
    ends.add(reason)
  }
}
