import Foundation
import OnsideCatalogue
import OnsideDomain
import OnsideProto
import OnsideServices
import RPC
import RPCClient
import RPCServer
import RPCTransport
import Testing

@Suite("The status of a server, over TLS", .timeLimit(.minutes(2)))
struct OperationsServerTests {
  /// A server with a store on disk and an administrator, a client of that administrator and one of
  /// somebody without a certificate.
  private func run(
    _ body: (MarketplaceServer, _ admin: OperationsServiceClient, RPCClient) async throws -> Void
  ) async throws {
    let certificates = try await TestCertificates.shared.value
    let folder = try TemporaryFolder()
    let catalogue = try folder.write(TestCatalogue.text, to: "catalogue.jsonl")
    var configuration = MarketplaceServerConfiguration(
      endpoint: .host("127.0.0.1", port: 0), tls: certificates.server,
      catalogue: [CatalogueSource(path: catalogue)],
      store: .sqlite(path: folder.path + "/store.sqlite"))
    configuration.version = "onside-server 9.9"
    configuration.tls.clientCAFile = certificates.folder + "/ca.pem"
    configuration.tls.clientCertificates = .optional
    let subject = "CN=development administrator,O=Onside development"
    _ = configuration.marketplace.administrators.add(subject)
    let group = try EventLoopGroup(loops: 2)
    let server = try await MarketplaceServer.start(
      configuration, group: group, log: LogRecorder().logger)
    func client(_ certificate: String?) throws -> RPCClient {
      RPCClient(
        to: try Endpoint(server.address), tls: try certificates.client(certificate), group: group)
    }
    let (admin, user) = (try client("admin"), try client(nil))
    let result = await Result { try await body(server, OperationsServiceClient(admin), user) }
    await admin.close()
    await user.close()
    #expect(await server.drain(within: .seconds(10)))
    await group.shutdown()
    try result.get()
  }

  private func logIn(_ client: RPCClient, as user: String) async throws {
    _ = try await LoginServiceClient(client).createSession(
      CreateSessionRequest(appID: TestCatalogue.shop, credential: .externalUserID(user)))
  }

  @Test("Only the administrator's certificate gets in")
  func certificates() async throws {
    try await run { _, admin, user in
      _ = try await admin.getServerStatus(GetServerStatusRequest())
      let error = try await failure { () throws(RPCError) in
        try await OperationsServiceClient(user).getServerStatus(GetServerStatusRequest())
      }
      #expect(error.code == .permissionDenied)
      #expect(error.refusalReason == .administratorRequired)
    }
  }

  @Test("It says what the server is, and where everything is kept")
  func facts() async throws {
    try await run { _, admin, _ in
      let status = try await admin.getServerStatus(GetServerStatusRequest())
      #expect(status.version == "onside-server 9.9")
      #expect(status.build.hasPrefix("debug") || status.build.hasPrefix("release"))
      #expect(status.tlsLibrary.hasPrefix("OpenSSL 3"))
      #expect(status.eventLoops == 2)
      #expect(status.usableCores >= 1)
      #expect(status.startedAtMs > 0)
      #expect(status.uptimeMs >= 0)
      #expect(status.store?.kind == "sqlite")
      #expect(status.store?.synchronous == "FULL")
      #expect(status.store?.batchLimit == 1_024)
      #expect(status.store?.durability.hasPrefix("SQLite 3.") == true)
    }
  }

  @Test("It counts calls by method, commits with their syncs, and handshakes")
  func counters() async throws {
    try await run { _, admin, user in
      try await logIn(user, as: "known")
      let before = try await admin.getServerStatus(GetServerStatusRequest())
      for number in 0..<5 { try await logIn(user, as: "user-\(number)") }
      await #expect(throws: RPCError.self) { try await logIn(user, as: "") }
      let after = try await admin.getServerStatus(GetServerStatusRequest())
      let method = "onside.v1.LoginService/CreateSession"
      let (old, new) = (
        try #require(before.methods.first { $0.method == method }),
        try #require(after.methods.first { $0.method == method })
      )
      #expect(new.started - old.started == 6)
      #expect(new.ok - old.ok == 5)
      #expect(new.failed.map(\.count) == [1])
      #expect(new.failed.map(\.status) == ["INVALID_ARGUMENT"])
      let (stored, storing) = (try #require(before.store), try #require(after.store))
      #expect(storing.commits - stored.commits == 5)
      #expect(storing.syncs - stored.syncs >= 5)
      #expect(after.connections?.handshakes == 2)
      #expect(after.connections?.open == 2)
      #expect((after.connections?.receivedBytes ?? 0) > (before.connections?.receivedBytes ?? 0))
      #expect(
        try JSONSerialization.jsonObject(with: Data(after.metricsJson.utf8)) as? [String: Any]
          != nil)
    }
  }

  @Test("What the process has used never shrinks, and isn't nothing")
  func process() async throws {
    try await run { _, admin, user in
      let first = try #require(
        try await admin.getServerStatus(GetServerStatusRequest()).process)
      try await logIn(user, as: "user")
      let second = try #require(
        try await admin.getServerStatus(GetServerStatusRequest()).process)
      #expect(first.pid == getpid())
      #expect(first.cpuNs > 0 && second.cpuNs > first.cpuNs)
      #expect(first.residentBytes > 1_000_000)
      #expect(second.peakResidentBytes >= second.residentBytes)
      #expect(first.openDescriptors > 3)
      #expect(second.contextSwitches >= first.contextSwitches)
    }
  }

  @Test("Where nobody is an administrator, there is no such service")
  func denyByDefault() async throws {
    let certificates = try await TestCertificates.shared.value
    let configuration = MarketplaceServerConfiguration(
      endpoint: .host("127.0.0.1", port: 0), tls: certificates.server, catalogue: [],
      store: .memory)
    let group = try EventLoopGroup(loops: 1)
    let server = try await MarketplaceServer.start(
      configuration, group: group, log: LogRecorder().logger)
    let client = RPCClient(
      to: try Endpoint(server.address), tls: try certificates.client(nil), group: group)
    let error = await #expect(throws: RPCError.self) {
      try await OperationsServiceClient(client).getServerStatus(GetServerStatusRequest())
    }
    #expect(error?.code == .unimplemented)
    await client.close()
    #expect(await server.drain(within: .seconds(10)))
    await group.shutdown()
  }
}
