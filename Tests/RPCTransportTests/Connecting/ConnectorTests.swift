import CLinux
import Foundation
import RPCCore
import RPCTransport
import Testing

@Suite("Connecting")
struct ConnectorTests {
  private func failure(
    _ endpoint: Endpoint, deadline: Duration = .seconds(20)
  ) async throws -> ConnectError? {
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    return try await EventLoopTests.withLoops { group in
      await #expect(throws: ConnectError.self) {
        try await TestConnection.open(endpoint, tls, group, deadline: deadline)
      }
    }
  }

  @Test func nobodyListens() async throws {
    let error = try await failure(.host("127.0.0.1", port: 1))
    #expect(error?.phase == .tcp && error?.code == .refused)
    #expect(error?.description.contains("127.0.0.1:1") == true)
  }

  @Test func unknownHost() async throws {
    let error = try await failure(.host("no-such-host.invalid", port: 1), deadline: .seconds(50))
    #expect(error?.phase == .resolve)
    #expect(error?.text.contains("'no-such-host.invalid'") == true)
  }

  @Test func noSocketAtThePath() async throws {
    let error = try await failure(.unix(path: "/nowhere/socket"))
    #expect(error?.phase == .tcp && error?.code == .refused)
  }

  /// A server that accepts and never answers doesn't hold the client for ever (C12).
  @Test func deadlineCoversTheHandshake() async throws {
    let silent = try SilentServer()
    let error = try await failure(
      .host("127.0.0.1", port: silent.port), deadline: .milliseconds(200))
    #expect(error?.phase == .tls && error?.code == .deadline)
  }

  @Test func deadlineThatHasPassedFailsAtOnce() async throws {
    let silent = try SilentServer()
    let error = try await failure(.host("127.0.0.1", port: silent.port), deadline: .seconds(-1))
    #expect(error?.code == .deadline)
  }

  /// An end of the connection during the handshake is a failure of the handshake (C7).
  @Test func endDuringTheHandshake() async throws {
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    let silent = try SilentServer()
    try await EventLoopTests.withLoops { group in
      async let failed = #expect(throws: ConnectError.self) {
        try await TestConnection.open(.host("127.0.0.1", port: silent.port), tls, group)
      }
      await silent.acceptAndClose()
      let error = await failed
      #expect(error?.phase == .tls && error?.code == .closed)
      #expect(error?.text.contains("handshake") == true)
    }
  }

  @Test func serverThatSpeaksNoTLS() async throws {
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    let silent = try SilentServer()
    try await EventLoopTests.withLoops { group in
      async let failed = #expect(throws: ConnectError.self) {
        try await TestConnection.open(.host("127.0.0.1", port: silent.port), tls, group)
      }
      await silent.acceptAndClose(sending: "220 mail.example ready\r\n")
      let error = await failed
      #expect(error?.phase == .tls && error?.code == .tls)
    }
  }

  @Test func attemptCanBeCancelled() async throws {
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    let silent = try SilentServer()
    try await EventLoopTests.withLoops { group in
      let log = EventLog<ConnectError.Code?>()
      let attempt = Connector().connect(
        to: .host("127.0.0.1", port: silent.port), tls: tls, deadline: .distantFuture,
        loop: group.first, makeHandler: { _ in TestConnection() },
        completion: { result in
          if case .failure(let error) = result { log.add(error.code) } else { log.add(nil) }
        })
      attempt.cancel()
      attempt.cancel()
      #expect(await log.wait(for: 1) == [.shutdown])
      await group.first.run {}
      #expect(log.all.count == 1)
    }
  }

  /// `localhost` has two addresses on most machines; the server listens on one of them.
  @Test(arguments: ["127.0.0.1:0", "[::1]:0"])
  func addressesOfANameAreTriedInTurn(listen: String) async throws {
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    let names = try #require(try? String(contentsOfFile: "/etc/hosts", encoding: .utf8))
    guard listen.hasPrefix("127") || names.contains(/::1.*localhost/) else {
      print("skipped: localhost has no IPv6 address here")
      return
    }
    try await TestServer.with(certificates.server, endpoint: Endpoint(listen)) { server in
      let connection = try await TestConnection.open(
        .host("localhost", port: server.port), tls, server.group)
      #expect(await connection.echo([1]) == [1])
      _ = await connection.close()
    }
  }

  @Test func completionComesAfterTheHandlerIsActive() async throws {
    final class Handler: ChannelHandler {
      let log: EventLog<String>
      init(_ log: EventLog<String>) { self.log = log }
      func channelActive(_ channel: Channel) { log.add("active") }
      func channelReceived(_ channel: Channel, bytes: UnsafeRawBufferPointer) -> Int {
        bytes.count
      }
      func channelEnded(_ channel: Channel, reason: ChannelEnd) { log.add("ended") }
    }
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    try await TestServer.with(certificates.server) { server in
      let log = EventLog<String>()
      Connector().connect(
        to: server.endpoint, tls: tls, deadline: .distantFuture, loop: server.group.first,
        makeHandler: { _ in Handler(log) }
      ) { result in
        log.add("completed")
        if case .success(let channel) = result { channel.close() }
      }
      #expect(await log.wait(for: 3) == ["active", "completed", "ended"])
    }
  }
}

/// Listens, and does nothing of its own accord.
final class SilentServer: Sendable {
  let port: UInt16
  private let descriptor: Int32

  init() throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    self.descriptor = descriptor
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafePointer(to: address) { clinux_bind(descriptor, $0, size) }
    guard bound == 0, listen(descriptor, 16) == 0 else {
      throw SystemError("bind", clinux_errno())
    }
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    clinux_local_address(descriptor, &storage, &length)
    port = withUnsafeBytes(of: storage) {
      UInt16(bigEndian: $0.loadUnaligned(as: sockaddr_in.self).sin_port)
    }
  }

  deinit {
    close(descriptor)
  }

  /// Takes one connection, sends the text and closes it.
  func acceptAndClose(sending text: String = "") async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let connection = accept(self.descriptor, nil, nil)
        _ = Array(text.utf8).withUnsafeBytes { send(connection, $0.baseAddress, $0.count, 0) }
        shutdown(connection, Int32(SHUT_WR))
        var byte: UInt8 = 0
        while recv(connection, &byte, 1, 0) > 0 {}
        close(connection)
        continuation.resume()
      }
    }
  }
}
