import OnsideCatalogue
import OnsideDomain
import OnsideProto
import OnsideServices
import RPC
import RPCClient
import RPCServer
import RPCTransport
import Testing

@Suite("The sandbox over TLS", .timeLimit(.minutes(2)))
struct SandboxServerTests {
  /// A server with an administrator, and clients with the administrator's certificate and without
  /// any.
  private func run(
    _ body: (MarketplaceServer, _ admin: SandboxServiceClient, RPCClient) async throws -> Void
  ) async throws {
    let certificates = try await TestCertificates.shared.value
    let folder = try TemporaryFolder()
    let catalogue = try folder.write(TestCatalogue.text, to: "catalogue.jsonl")
    var configuration = MarketplaceServerConfiguration(
      endpoint: .host("127.0.0.1", port: 0), tls: certificates.server,
      catalogue: [CatalogueSource(path: catalogue)], store: .memory)
    configuration.tls.clientCAFile = certificates.folder + "/ca.pem"
    configuration.tls.clientCertificates = .optional
    let subject = "CN=development administrator,O=Onside development"
    _ = configuration.marketplace.administrators.add(subject)
    let group = try EventLoopGroup(loops: 2)
    let server = try await MarketplaceServer.start(
      configuration, group: group, log: LogRecorder().logger)
    func client(_ certificate: String?) throws -> RPCClient {
      var configuration = ClientConfiguration()
      configuration.maximumAttempts = 1
      return RPCClient(
        to: try Endpoint(server.address), tls: try certificates.client(certificate),
        group: group, configuration: configuration)
    }
    let (admin, user) = (try client("admin"), try client(nil))
    let result = await Result { try await body(server, SandboxServiceClient(admin), user) }
    await admin.close()
    await user.close()
    #expect(await server.drain(within: .seconds(10)))
    await group.shutdown()
    try result.get()
  }

  private func logIn(_ client: RPCClient) async throws(RPCError) -> CreateSessionResponse {
    try await LoginServiceClient(client).createSession(
      CreateSessionRequest(appID: TestCatalogue.shop, credential: .externalUserID("user-1")))
  }

  @Test("Only the administrator's certificate gets in")
  func certificates() async throws {
    try await run { _, admin, user in
      #expect(try await admin.listFaults(ListFaultsRequest()).rules.isEmpty)
      let error = try await failure { () throws(RPCError) in
        try await SandboxServiceClient(user).listFaults(ListFaultsRequest())
      }
      #expect(error.code == .permissionDenied)
      #expect(error.refusalReason == .administratorRequired)
    }
  }

  @Test("Calls that are answered at once fail while there is a rule, and are quick again after it")
  func immediate() async throws {
    try await run { server, admin, user in
      _ = try await logIn(user)
      _ = try await logIn(user)
      let before = server.metrics.immediateCalls
      #expect(before >= 1)
      let rule = FaultRule(
        match: FaultMatch(method: "LoginService/CreateSession"), effect: .unavailable)
      _ = try await admin.addFault(AddFaultRequest(rule: rule))
      let error = try await failure { () throws(RPCError) in try await logIn(user) }
      #expect(error.code == .unavailable && error.refusalReason == .storeFailed)
      _ = try await admin.removeFaults(RemoveFaultsRequest())
      _ = try await logIn(user)
      #expect(server.metrics.immediateCalls > before)
    }
  }

  @Test("A cut connection is lost to its caller, who connects anew")
  func cut() async throws {
    try await run { server, admin, user in
      _ = try await logIn(user)
      let accepted = server.metrics.acceptedConnections
      let rule = FaultRule(
        match: FaultMatch(method: "LoginService/CreateSession"), count: 1,
        effect: .cutConnection(true))
      _ = try await admin.addFault(AddFaultRequest(rule: rule))
      let error = try await failure { () throws(RPCError) in try await logIn(user) }
      #expect(error.code == .unavailable && error.phase != .answered)
      _ = try await logIn(user)
      // One for the administrator, one for the user anew.
      #expect(server.metrics.acceptedConnections >= accepted + 2)
      #expect(try await admin.listFaults(ListFaultsRequest()).rules.map(\.fired) == [1])
    }
  }
}
