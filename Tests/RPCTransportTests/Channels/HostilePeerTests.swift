import CLinux
import COpenSSL
import Foundation
import RPCCore
import Testing

@testable import RPCTransport

@Suite("Peers that misbehave")
struct HostilePeerTests {
  private static let garbage = [
    "GET / HTTP/1.1\r\nHost: x\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n", "\u{16}\u{3}\u{1}",
    "\u{80}\u{2E}\u{1}\u{0}\u{2}", String(repeating: "A", count: 20_000), "\n", "",
  ]

  /// A bad client's errors must not reach the good ones that share its thread (C20), nor the plain
  /// text of another protocol get further than an alert (row 19).
  @Test func garbageBesideGoodClients() async throws {
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    try await TestServer.with(certificates.server) { server in
      let failures = try await withThrowingTaskGroup(of: Int.self) { tasks in
        for number in 0..<100 {
          tasks.addTask {
            let raw = try RawClient(port: server.port)
            raw.send(Self.garbage[number % Self.garbage.count])
            shutdown(raw.descriptor, Int32(SHUT_WR))
            return await raw.readToEnd() == nil ? 1 : 0
          }
          tasks.addTask {
            let connection = try await TestConnection.open(server.endpoint, tls, server.group)
            var wrong = 0
            for round in 0..<3 {
              let bytes = pattern(500 + round, seed: UInt8(number))
              if await connection.echo(bytes) != bytes { wrong += 1 }
            }
            _ = await connection.close()
            return wrong
          }
        }
        return try await tasks.reduce(0, +)
      }
      #expect(failures == 0)
      #expect(await server.events.wait(for: 100).count == 100)
      #expect(server.listener.counters.handshakes == 100)
    }
  }

  /// Silent clients cost nobody else anything (C10), and are gone at the deadline (C11, row 10).
  @Test func silentClientsAreClosedAtTheDeadline() async throws {
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    let count = 500
    var options = ListenerOptions()
    options.channel.handshakeTimeout = .seconds(2)
    try await TestServer.with(certificates.server, options: options) { server in
      var silent: [RawClient] = []
      for number in 0..<count {
        let client = try RawClient(port: server.port)
        // Some stop in the middle of a record.
        if number % 2 == 0 { client.send([0x16, 3, 1, 2, 0, 1]) }
        silent.append(client)
      }
      var slow = ChannelOptions()
      slow.handshakeTimeout = .seconds(60)
      let honest = try await TestConnection.open(
        server.endpoint, tls, server.group, options: slow)
      for client in silent { #expect(await client.readToEnd() != nil) }
      #expect(await honest.echo([1, 2]) == [1, 2])
      let ends = await server.events.wait(for: count).compactMap { event -> ChannelEnd.Code? in
        if case .handshakeFailed(_, let end) = event { end.code } else { nil }
      }
      #expect(ends.allSatisfy { $0 == .handshakeTimeout } && ends.count == count)
      #expect(server.listener.counters.handshakeTimeouts == count)
    }
  }

  /// A reset must wake an idle loop once, not keep it busy (C2).
  @Test func resetOfAnIdleConnectionCostsNothing() async throws {
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    let clients = try EventLoopGroup(loops: 1)
    try await TestServer.with(certificates.server, loops: 1) { server in
      let connection = try await TestConnection.open(server.endpoint, tls, clients)
      #expect(await connection.echo([1]) == [1])
      let loop = server.group.first
      let before = await loop.run { loop.passes }
      #expect(await connection.close(.abort).code == .aborted)
      #expect(await server.ends.wait(for: 1)[0].code == .reset)
      for _ in 0..<20 { await clients.first.run {} }
      let after = await loop.run { loop.passes }
      #expect(after - before <= 8)
    }
    await clients.shutdown()
  }

  /// The peer goes away in the middle of a large reply (C5): an end of that channel, no signal.
  @Test func resetDuringALargeReply() async throws {
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    try await TestServer.with(
      certificates.server, handler: { _, ends in FloodHandler(ends, 8 << 20) }
    ) { server in
      for _ in 0..<10 {
        let connection = try await TestConnection.open(server.endpoint, tls, server.group)
        _ = await connection.receiveCount(100_000)
        _ = await connection.close(.abort)
      }
      let ends = await server.ends.wait(for: 10)
      #expect(ends.allSatisfy { $0.code == .reset })
      let last = try await TestConnection.open(server.endpoint, tls, server.group)
      #expect(await last.receiveCount(1) >= 1)
      _ = await last.close(.abort)
    }
  }

  /// Who takes nothing of its reply is given up (row 11).
  @Test func stalledReaderIsGivenUp() async throws {
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    var options = ListenerOptions()
    options.channel.writeStallTimeout = .milliseconds(200)
    try await TestServer.with(
      certificates.server, options: options,
      handler: { _, ends in FloodHandler(ends, 32 << 20) }
    ) { server in
      let connection = try await TestConnection.open(
        server.endpoint, tls, server.group, startsPaused: true)
      #expect(await server.ends.wait(for: 1)[0].code == .writeStalled)
      await connection.loop.run { connection.channel?.isReadingPaused = false }
      _ = await connection.ended()
    }
  }

  @Test func tooMuchQueuedOutputEndsTheChannel() async throws {
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    var options = ListenerOptions()
    options.channel.outputLimit = 1 << 20
    try await TestServer.with(
      certificates.server, options: options,
      handler: { _, ends in FloodHandler(ends, 2 << 20) }
    ) { server in
      let connection = try await TestConnection.open(server.endpoint, tls, server.group)
      #expect(await server.ends.wait(for: 1)[0].code == .outputLimit)
      _ = await connection.ended()
    }
  }

  /// Key updates cost the server work and bring nothing (row 15).
  @Test func floodOfKeyUpdatesEndsTheConnection() async throws {
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    try await TestServer.with(certificates.server) { server in
      let connection = try await TestConnection.open(server.endpoint, tls, server.group)
      let few = await updateKeys(connection, times: 10)
      #expect(few && !server.ends.all.contains { _ in true })
      #expect(await connection.echo([5]) == [5])
      _ = await updateKeys(connection, times: 200)
      #expect(await server.ends.wait(for: 1)[0].code == .idleRecords)
      _ = await connection.ended()
    }
  }

  /// The budget is for a window: a connection that lives long may change its keys as often as it
  /// likes, now and then.
  @Test func keyUpdatesNowAndThenAreNoFlood() async throws {
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    var options = ListenerOptions()
    options.channel.idleRecordWindow = .milliseconds(1)
    // The client counts what it does itself, too.
    var own = ChannelOptions()
    own.idleRecordLimit = 10_000
    try await TestServer.with(certificates.server, options: options) { server in
      let connection = try await TestConnection.open(
        server.endpoint, tls, server.group, options: own)
      for round in 0..<40 as Range<UInt8> {
        let isUpdated = await updateKeys(connection, times: 2)
        try #require(isUpdated)
        try #require(await connection.echo([round]) == [round], "\(server.ends.all)")
        // Into another window.
        try await Task.sleep(for: .milliseconds(3))
      }
      #expect(server.ends.all.isEmpty)
      _ = await connection.close()
    }
  }

  private func updateKeys(_ connection: TestConnection, times: Int) async -> Bool {
    await connection.loop.run {
      guard let ssl = connection.channel?.ssl else { return false }
      for _ in 0..<times {
        ERR_clear_error()
        guard SSL_key_update(ssl, SSL_KEY_UPDATE_NOT_REQUESTED) == 1, SSL_do_handshake(ssl) == 1
        else { return false }
      }
      return true
    }
  }

  /// Handshakes that fail and connections that come and go on eight threads leave nothing behind
  /// (C1, C25). `HOSTILE_CONNECTIONS` in the environment makes it more than 1,000.
  @Test func descriptorsComeBack() async throws {
    let wanted = ProcessInfo.processInfo.environment["HOSTILE_CONNECTIONS"].flatMap { Int($0) }
    let rounds = max(1, (wanted ?? 1_000) / 8)
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    try await TestServer.with(certificates.server) { server in
      try await withThrowingTaskGroup(of: Void.self) { tasks in
        for worker in 0..<8 {
          tasks.addTask {
            for round in 0..<rounds {
              if (worker + round) % 2 == 0 {
                let raw = try RawClient(port: server.port)
                raw.send(Self.garbage[round % Self.garbage.count])
                if round % 3 == 0 { raw.reset() }
              } else {
                let connection = try await TestConnection.open(
                  server.endpoint, tls, server.group)
                _ = await connection.close(round % 3 == 0 ? .abort : .graceful)
              }
            }
          }
        }
        try await tasks.waitForAll()
      }
      #expect(server.listener.counters.accepted <= 8 * rounds)
      await server.group.shutdown()
      #expect(server.listener.counters.open == 0)
      #expect(try ownedSockets(localPort: server.port) == 0)
      #expect(server.group.loops.allSatisfy { $0.connectionCount == 0 })
    }
  }
}

/// Sends so many bytes as soon as it can.
private final class FloodHandler: ChannelHandler {
  private let ends: EndLog
  private let count: Int

  init(_ ends: EndLog, _ count: Int) {
    self.ends = ends
    self.count = count
  }

  func channelActive(_ channel: Channel) {
    channel.withOutput { output in
      let room = output.reserve(count)
      room.initializeMemory(as: UInt8.self, repeating: 7)
      output.commit(count)
    }
  }

  func channelReceived(_ channel: Channel, bytes: UnsafeRawBufferPointer) -> Int { bytes.count }

  func channelEnded(_ channel: Channel, reason: ChannelEnd) {
    ends.add(reason)
  }
}
