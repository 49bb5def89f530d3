import CLinux
import RPCCore
import Testing

@testable import RPCTransport

@Suite("Ends of connections")
struct ClosingTests {
  private func withConnection<R: Sendable>(
    options: ListenerOptions = ListenerOptions(),
    handler: (@Sendable (Channel, EndLog) -> any ChannelHandler)? = nil,
    _ body: (TestServer, TestConnection) async throws -> R
  ) async throws -> R {
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    return try await TestServer.with(certificates.server, options: options, handler: handler) {
      server in
      try await body(server, TestConnection.open(server.endpoint, tls, server.group))
    }
  }

  @Test func goodbyeIsACleanEnd() async throws {
    try await withConnection { server, connection in
      #expect(await connection.close().code == .closed)
      #expect(await server.ends.wait(for: 1)[0].code == .endOfStream)
    }
  }

  /// The bytes end without a goodbye: whatever was under way may be cut (C6, row 18).
  @Test func endWithoutGoodbyeIsATruncation() async throws {
    try await withConnection { server, connection in
      #expect(await connection.echo([1]) == [1])
      _ = await connection.loop.run {
        shutdown(connection.channel?.descriptor ?? -1, Int32(SHUT_WR))
      }
      let end = await server.ends.wait(for: 1)[0]
      #expect(end.code == .truncated && end.unconsumedBytes == 0)
    }
  }

  @Test func endInsideAFrameTellsHowMuchWasThere() async throws {
    final class Waiting: ChannelHandler {
      let ends: EndLog
      init(_ ends: EndLog) { self.ends = ends }
      func channelReceived(_ channel: Channel, bytes: UnsafeRawBufferPointer) -> Int {
        bytes.count >= 3 ? bytes.count - 3 : 0
      }
      func channelEnded(_ channel: Channel, reason: ChannelEnd) { ends.add(reason) }
    }
    try await withConnection(handler: { _, ends in Waiting(ends) }) { server, connection in
      await connection.send([1, 2, 3, 4, 5])
      _ = await connection.close()
      let end = await server.ends.wait(for: 1)[0]
      #expect(end.code == .endOfStream && end.unconsumedBytes == 3)
    }
  }

  /// What was queued before a close arrives, however much it is, and then the goodbye.
  @Test func gracefulCloseSendsWhatIsQueued() async throws {
    final class Farewell: ChannelHandler {
      let ends: EndLog
      init(_ ends: EndLog) { self.ends = ends }
      func channelReceived(_ channel: Channel, bytes: UnsafeRawBufferPointer) -> Int {
        channel.withOutput { $0.append([UInt8](repeating: 3, count: 5_000_000)) }
        channel.close()
        #expect(!channel.isOpen)
        return bytes.count
      }
      func channelEnded(_ channel: Channel, reason: ChannelEnd) { ends.add(reason) }
    }
    try await withConnection(handler: { _, ends in Farewell(ends) }) { server, connection in
      await connection.send([1])
      #expect(await connection.receive(5_000_000).count == 5_000_000)
      #expect(await connection.ended().code == .endOfStream)
      #expect(await server.ends.wait(for: 1)[0].code == .closed)
    }
  }

  /// A peer that reads nothing doesn't hold up a graceful close for ever.
  @Test func gracefulCloseIsBounded() async throws {
    final class Stuck: ChannelHandler {
      let ends: EndLog
      init(_ ends: EndLog) { self.ends = ends }
      func channelReceived(_ channel: Channel, bytes: UnsafeRawBufferPointer) -> Int {
        channel.withOutput { $0.append([UInt8](repeating: 3, count: 32 << 20)) }
        channel.close()
        return bytes.count
      }
      func channelEnded(_ channel: Channel, reason: ChannelEnd) { ends.add(reason) }
    }
    var options = ListenerOptions()
    options.channel.closeTimeout = .milliseconds(200)
    options.channel.discardTimeout = .milliseconds(50)
    try await withConnection(options: options, handler: { _, ends in Stuck(ends) }) {
      server, connection in
      await connection.loop.run { connection.channel?.isReadingPaused = true }
      await connection.send([1])
      let end = await server.ends.wait(for: 1)[0]
      #expect(end.code == .closed && end.text.contains("didn't take"))
      await connection.loop.run { connection.channel?.isReadingPaused = false }
      _ = await connection.ended()
    }
  }

  @Test func closingTwiceAndWritingAfterwardsIsHarmless() async throws {
    try await withConnection { server, connection in
      await connection.loop.run {
        connection.channel?.close()
        connection.channel?.close()
        connection.channel?.close(.abort)
        connection.channel?.close()
      }
      #expect(await connection.ended().code == .aborted)
      await connection.send([1, 2, 3])
      await connection.loop.run {
        connection.channel?.close()
        #expect(connection.channel?.outputBytes == 0)
      }
      _ = await server.ends.wait(for: 1)
    }
  }

  /// Nothing is received while reading is paused; everything is afterwards.
  @Test func pausedReadingLosesNothing() async throws {
    try await withConnection { server, connection in
      await connection.loop.run { connection.channel?.isReadingPaused = true }
      let bytes = pattern(300_000)
      await connection.send(bytes)
      for _ in 0..<50 { await connection.loop.run {} }
      await connection.loop.run { connection.channel?.isReadingPaused = false }
      #expect(await connection.receive(bytes.count) == bytes)
    }
  }

  @Test func idleChannelHoldsNoBuffers() async throws {
    try await withConnection { server, connection in
      let bytes = pattern(200_000)
      #expect(await connection.echo(bytes) == bytes)
      // What took many passes may have counted as in use.
      for loop in [connection.loop] + server.group.loops { await loop.waitUntilNoneIsBusy() }
      await connection.loop.run {
        #expect(connection.channel?.output.capacity == 0)
        #expect(connection.channel?.keptInput.count == 0)
        #expect(connection.channel?.timer == nil)
      }
      for loop in server.group.loops {
        await loop.run {
          for channel in loop.channels { #expect(channel.output.capacity == 0) }
        }
      }
    }
  }

  /// A shutdown closes what is open, with a goodbye.
  @Test func shutdownClosesOpenChannels() async throws {
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    let clients = try EventLoopGroup(loops: 1)
    let server = try TestServer(certificates.server)
    var connections: [TestConnection] = []
    for _ in 0..<5 {
      connections.append(try await TestConnection.open(server.endpoint, tls, clients))
    }
    await server.group.shutdown()
    for connection in connections { #expect(await connection.ended().code == .endOfStream) }
    #expect(server.ends.all.count == 5)
    let refused = await #expect(throws: ConnectError.self) {
      try await TestConnection.open(server.endpoint, tls, clients)
    }
    #expect(refused?.code == .refused)
    let late = await #expect(throws: ConnectError.self) {
      try await TestConnection.open(server.endpoint, tls, server.group)
    }
    #expect(late?.code == .shutdown)
    await clients.shutdown()
  }
}
