import CLinux
import Foundation
import RPCCore
import Testing

@testable import RPCTransport

@Suite("Listening")
struct ListenerTests {
  private func echo(
    _ server: TestServer, _ endpoint: Endpoint, _ trust: ClientTLS? = nil
  ) async throws {
    let shared = try await TestCertificates.shared.value
    let tls = try trust ?? ClientTLS(shared.client)
    let connection = try await TestConnection.open(endpoint, tls, server.group)
    #expect(await connection.echo([1, 2]) == [1, 2])
    _ = await connection.close()
  }

  @Test func portInUseIsNamed() async throws {
    let certificates = try await TestCertificates.shared.value
    try await TestServer.with(certificates.server) { server in
      let error = #expect(throws: ListenError.self) {
        try TestServer(certificates.server, endpoint: server.endpoint)
      }
      #expect(error?.code == .inUse)
      #expect(error?.description.contains("127.0.0.1:\(server.port)") == true)
      #expect(throws: ListenError.self) { try Listener.check(server.endpoint) }
      try await echo(server, server.endpoint)
    }
  }

  @Test(arguments: ["192.0.2.1:0", "no-such-host.invalid:0"])
  func foreignAddressIsRefused(text: String) async throws {
    let certificates = try await TestCertificates.shared.value
    let error = #expect(throws: ListenError.self) {
      try TestServer(certificates.server, endpoint: Endpoint(text))
    }
    #expect(error?.code == .noSuchAddress)
  }

  /// A restart must not wait for the old connections' TIME_WAIT (C39).
  @Test func restartsOnTheSamePort() async throws {
    // An address of its own, so that no other test takes the port in between.
    let address = "127.0.0.39"
    let certificates = try await TestCertificates()
    try await certificates.make(
      "here", extensions: TestCertificates.serverExtensions + ", IP:\(address)")
    var configuration = certificates.server
    configuration.certificateFile = certificates.path("here.pem")
    configuration.keyFile = certificates.path("here.key")
    let tls = try ClientTLS(certificates.client)
    var endpoint = Endpoint.host(address, port: 0)
    for _ in 0..<20 {
      try await TestServer.with(configuration, endpoint: endpoint, loops: 1) { server in
        endpoint = server.endpoint
        try await echo(server, endpoint, tls)
      }
    }
  }

  /// `[::]` takes IPv4 as well, unless it is told not to (C37).
  @Test(arguments: [false, true])
  func wildcardOfVersion6(isIPv6Only: Bool) async throws {
    let certificates = try await TestCertificates.shared.value
    var options = ListenerOptions()
    options.isIPv6Only = isIPv6Only
    try await TestServer.with(certificates.server, endpoint: Endpoint("[::]:0"), options: options) {
      server in
      try await echo(server, .host("::1", port: server.port))
      if isIPv6Only {
        // Not 127.0.0.1: another test may listen there, on this very port.
        let v4 = Endpoint.host("127.6.6.6", port: server.port)
        let error = await #expect(throws: ConnectError.self) { try await echo(server, v4) }
        #expect(error?.code == .refused)
      } else {
        try await echo(server, .host("127.0.0.1", port: server.port))
      }
    }
  }

  @Test func unixSocketComesAndGoes() async throws {
    let certificates = try await TestCertificates.shared.value
    let folder = try TemporaryFolder()
    let endpoint = Endpoint.unix(path: folder.path + "/s")
    try await TestServer.with(certificates.server, endpoint: endpoint) { server in
      #expect(server.endpoint == endpoint)
      try await echo(server, endpoint)
      let error = #expect(throws: ListenError.self) {
        try TestServer(certificates.server, endpoint: endpoint)
      }
      #expect(error?.code == .inUse)
      try await echo(server, endpoint)
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/s"))
  }

  @Test func staleUnixSocketIsReplacedAndAFileIsNot() async throws {
    let certificates = try await TestCertificates.shared.value
    let folder = try TemporaryFolder()
    let path = folder.path + "/s"
    let left = clinux_stream_socket(AF_UNIX)
    #expect(SocketAddress.unix(path: path).withSystemAddress { clinux_bind(left, $0, $1) } == 0)
    close(left)
    try await TestServer.with(certificates.server, endpoint: .unix(path: path)) { server in
      try await echo(server, .unix(path: path))
    }
    try write("precious", to: path)
    #expect(throws: ListenError.self) {
      try TestServer(certificates.server, endpoint: .unix(path: path))
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
  }

  @Test func connectionsAboveTheMaximumAreClosed() async throws {
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    var options = ListenerOptions()
    options.maximumConnections = 3
    try await TestServer.with(certificates.server, options: options) { server in
      var open: [TestConnection] = []
      for _ in 0..<3 {
        open.append(try await TestConnection.open(server.endpoint, tls, server.group))
      }
      let error = await #expect(throws: ConnectError.self) {
        try await TestConnection.open(server.endpoint, tls, server.group)
      }
      #expect(error?.code == .closed)
      #expect(server.listener.counters.refused == 1)
      _ = await open[0].close()
      _ = await server.ends.wait(for: 1)
      try await echo(server, server.endpoint)
    }
  }

  /// Without descriptors the listener rests instead of spinning, says so once a second at most, and
  /// takes connections again when there are some (C24, row 13). In a process of its own: the limit
  /// is the process's.
  @Test func shortageOfDescriptorsIsSurvived() async {
    await #expect(processExitsWith: .success) {
      let certificates = try await TestCertificates()
      let tls = try ClientTLS(certificates.client)
      let server = try TestServer(certificates.server, loops: 1)
      let loop = server.group.first
      let limit = DescriptorLimit.current
      let flood = (0..<40).map { _ in RawClient() }
      clinux_set_descriptor_limit(Int64(try openDescriptors() + 2))
      var fillers: [Int32] = []
      while true {
        let filler = dup(0)
        if filler < 0 { break }
        fillers.append(filler)
      }
      // Not one descriptor is left for all that now waits to be accepted.
      for client in flood { try client.connect(server.port) }
      guard case .outOfDescriptors(let error) = await server.events.wait(for: 1)[0] else {
        _exit(2)
      }
      if error.code != EMFILE { _exit(3) }
      // A few rests and no more: with no descriptor left for a second, Dispatch's watch over its
      // own threads ends the process.
      let started = MonotonicInstant.current()
      let before = (passes: loop.passes, rests: server.listener.counters.shortages)
      while server.listener.counters.shortages < before.rests + 2 {
        await withCheckedContinuation { continuation in
          loop.post {
            loop.schedule(at: loop.now.advanced(by: .milliseconds(20))) { continuation.resume() }
          }
        }
      }
      let rests = server.listener.counters.shortages - before.rests
      if loop.passes - before.passes > 40 * rests { _exit(4) }
      let seconds = Int(started.duration(to: .current()).components.seconds)
      if server.events.all.count > 1 + seconds { _exit(5) }
      for filler in fillers { close(filler) }
      clinux_set_descriptor_limit(Int64(limit))
      for client in flood { client.reset() }
      let honest = try await TestConnection.open(server.endpoint, tls, server.group)
      if await honest.echo([1]) != [1] { _exit(6) }
      // At once: a leak checker would take for lost what only this process's threads still hold.
      _exit(0)
    }
  }

  /// Connections go to the loop that has the fewest.
  @Test func connectionsAreSpreadEvenly() async throws {
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    let clients = try EventLoopGroup(loops: 1)
    try await TestServer.with(certificates.server, loops: 3) { server in
      var open: [TestConnection] = []
      for _ in 0..<9 {
        open.append(try await TestConnection.open(server.endpoint, tls, clients))
      }
      #expect(server.group.loops.map(\.connectionCount) == [3, 3, 3])
      for connection in open { _ = await connection.close() }
    }
    await clients.shutdown()
  }

  @Test func stoppedListenerLeavesChannelsAlone() async throws {
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    try await TestServer.with(certificates.server) { server in
      let open = try await TestConnection.open(server.endpoint, tls, server.group)
      await server.listener.stop()
      let error = await #expect(throws: ConnectError.self) {
        try await TestConnection.open(server.endpoint, tls, server.group)
      }
      #expect(error?.code == .refused)
      #expect(await open.echo([4]) == [4])
    }
  }
}
