import Glibc
import OnsideCatalogue
import OnsideProto
import OnsideServices
import RPC
import RPCClient
import RPCTransport
import Testing

@Suite("Certificates that change while the server runs", .timeLimit(.minutes(2)))
struct CertificateReloadTests {
  private let folder: TemporaryFolder
  private let old: TestCertificates
  private let new: TestCertificates
  /// Where the sets are; they go with the test.
  private let sets: [TemporaryFolder]

  init() async throws {
    folder = try TemporaryFolder()
    sets = [try TemporaryFolder(), try TemporaryFolder()]
    old = try await TestCertificates(in: sets[0].path)
    new = try await TestCertificates(in: sets[1].path)
    try folder.write(
      try Self.read(old.folder + "/ca.pem") + Self.read(new.folder + "/ca.pem"), to: "cas.pem")
  }

  private static func read(_ path: String) throws -> String {
    guard let file = fopen(path, "r") else { throw TestFailure("can't read \(path)") }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  /// Puts another file in a file's place, in one step: no look finds half of it.
  private func replace(_ name: String, with path: String) throws {
    let next = try folder.write(try Self.read(path), to: name + ".next")
    #expect(rename(next, folder.path + "/" + name) == 0)
  }

  /// A client that trusts both CAs.
  private func clientTLS() throws -> ClientTLS {
    var configuration = ClientTLS.Configuration(applicationProtocols: [RPCProtocol.name])
    configuration.trust = .file(folder.path + "/cas.pem")
    return try ClientTLS(configuration)
  }

  /// The serial that a new connection sees.
  private func serial(_ server: MarketplaceServer, _ group: EventLoopGroup) async throws -> String {
    let endpoint = try Endpoint(server.address)
    let tls = try clientTLS()
    let result: Result<Channel, ConnectError> = await withCheckedContinuation { continuation in
      Connector().connect(
        to: endpoint, tls: tls, deadline: .now.advanced(by: .seconds(30)), loop: group.first,
        makeHandler: { _ in SilentHandler() }, completion: { continuation.resume(returning: $0) })
    }
    let channel = try result.get()
    return await group.first.run {
      channel.close(.abort)
      return channel.security.peerCertificate?.serial ?? ""
    }
  }

  /// Runs a server that looks at its files all the time.
  private func run(
    _ tls: ServerTLS.Configuration,
    _ body: (MarketplaceServer, LogRecorder, EventLoopGroup) async throws -> Void
  ) async throws {
    var configuration = MarketplaceServerConfiguration(
      endpoint: .host("127.0.0.1", port: 0), tls: tls,
      catalogue: [CatalogueSource(path: try folder.write(TestCatalogue.text, to: "shop.jsonl"))],
      store: .memory)
    configuration.certificateCheckInterval = .milliseconds(20)
    let group = try EventLoopGroup(loops: 1)
    let log = LogRecorder()
    let server = try await MarketplaceServer.start(configuration, group: group, log: log.logger)
    let result = await Result { try await body(server, log, group) }
    #expect(await server.drain(within: .seconds(30)))
    await group.shutdown()
    try result.get()
  }

  private func logIn(_ client: RPCClient) async throws(RPCError) {
    _ = try await LoginServiceClient(client).createSession(
      CreateSessionRequest(appID: TestCatalogue.shop, credential: .externalUserID("user")))
  }

  @Test("C27: half a pair is refused once and changes nothing; the whole pair is used by itself")
  func pair() async throws {
    var tls = old.server
    tls.certificateFile = try folder.write(try Self.read(old.server.certificateFile), to: "s.pem")
    tls.keyFile = try folder.write(try Self.read(old.server.keyFile), to: "s.key")
    try await run(tls) { server, log, group in
      let client = RPCClient(
        to: try Endpoint(server.address), tls: try clientTLS(), group: group,
        configuration: ClientConfiguration())
      try await logIn(client)
      let connections = server.listener.counters.accepted
      let first = try await serial(server, group)
      try replace("s.pem", with: new.server.certificateFile)
      await log.wait(for: "reload failed")
      #expect(log.lines.contains("what=certificates"))
      #expect(try await serial(server, group) == first)
      try replace("s.key", with: new.server.keyFile)
      await log.wait(for: "certificates were read again")
      let second = try await serial(server, group)
      #expect(second != first && second != "")
      #expect(log.lines.contains("serial=\(second)"))
      // The connection that was open lives on.
      try await logIn(client)
      #expect(server.listener.counters.accepted <= connections + 3)
      #expect(log.count(of: "reload failed") == 1)
      #expect(log.count(of: "certificates were read again") == 1)
      await client.close()
    }
  }

  @Test("A link to another folder of certificates, as Kubernetes swaps it, is followed")
  func swappedLink() async throws {
    let data = folder.path + "/data"
    #expect(symlink(old.folder, data) == 0)
    var tls = old.server
    tls.certificateFile = data + "/server.pem"
    tls.keyFile = data + "/server.key"
    tls.clientCAFile = data + "/ca.pem"
    tls.clientCertificates = .optional
    try await run(tls) { server, log, group in
      let first = try await serial(server, group)
      #expect(symlink(new.folder, folder.path + "/next") == 0)
      #expect(rename(folder.path + "/next", data) == 0)
      await log.wait(for: "certificates were read again")
      #expect(try await serial(server, group) != first)
      #expect(!log.lines.contains("reload failed"))
    }
  }

  @Test("What SIGHUP has read isn't read again")
  func readByHand() async throws {
    var tls = old.server
    tls.certificateFile = try folder.write(try Self.read(old.server.certificateFile), to: "s.pem")
    tls.keyFile = try folder.write(try Self.read(old.server.keyFile), to: "s.key")
    try await run(tls) { server, log, _ in
      #expect(await server.reload())
      try replace("s.pem", with: new.server.certificateFile)
      try replace("s.key", with: new.server.keyFile)
      await log.wait(for: "certificates were read again", times: 2)
      #expect(log.count(of: "certificates were read again") == 2)
    }
  }
}

/// Says and takes nothing.
private final class SilentHandler: ChannelHandler {
  func channelActive(_ channel: Channel) {}
  func channelReceived(_ channel: Channel, bytes: UnsafeRawBufferPointer) -> Int { bytes.count }
  func channelEnded(_ channel: Channel, reason: ChannelEnd) {}
}

@Suite("Connections and descriptors")
struct DescriptorRoomTests {
  @Test("A limit of open files that is too low bounds the connections, and is logged")
  func clamped() async throws {
    let certificates = try await TestCertificates.shared.value
    var configuration = MarketplaceServerConfiguration(
      endpoint: .host("127.0.0.1", port: 0), tls: certificates.server, catalogue: [],
      store: .memory)
    let group = try EventLoopGroup(loops: 1)
    for (maximum, isLogged) in [(10, false), (1_000_000_000, true)] {
      configuration.listener.maximumConnections = maximum
      let log = LogRecorder()
      let server = try await MarketplaceServer.start(configuration, group: group, log: log.logger)
      #expect(log.lines.contains("fewer connections than configured") == isLogged)
      let room = DescriptorLimit.connections(within: DescriptorLimit.current, loops: 1)
      #expect(log.lines.contains("connections=\(room)") == isLogged)
      #expect(await server.drain(within: .seconds(30)))
    }
    await group.shutdown()
  }
}
