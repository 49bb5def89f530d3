import Glibc
import OnsideCatalogue
import OnsideDomain
import OnsideProto
import OnsideServices
import OnsideStore
import RPC
import RPCClient
import RPCTransport
import Testing

@Suite("The server over TLS", .timeLimit(.minutes(2)))
struct MarketplaceServerTests {
  /// Starts a server on a free port, runs `body` with a client, and stops both.
  private func run(
    _ configure: (inout MarketplaceServerConfiguration, TemporaryFolder) throws -> Void = { _, _ in
    },
    withCertificate: Bool = false,
    _ body: (MarketplaceServer, RPCClient, TemporaryFolder) async throws -> Void
  ) async throws {
    let certificates = try await TestCertificates.shared.value
    let folder = try TemporaryFolder()
    var configuration = try configuration(certificates, folder)
    try configure(&configuration, folder)
    let group = try EventLoopGroup(loops: 2)
    let log = LogRecorder()
    let server = try await MarketplaceServer.start(configuration, group: group, log: log.logger)
    let client = RPCClient(
      to: try Endpoint(server.address),
      tls: try certificates.client(withCertificate: withCertificate), group: group,
      configuration: {
        var configuration = ClientConfiguration()
        configuration.connections = 4
        return configuration
      }())
    let result = await Result { try await body(server, client, folder) }
    await client.close()
    #expect(await server.drain(within: .seconds(10)))
    await group.shutdown()
    try result.get()
  }

  private func configuration(
    _ certificates: TestCertificates, _ folder: TemporaryFolder
  ) throws -> MarketplaceServerConfiguration {
    let catalogue = try folder.write(TestCatalogue.text, to: "catalogue.jsonl")
    return MarketplaceServerConfiguration(
      endpoint: .host("127.0.0.1", port: 0), tls: certificates.server,
      catalogue: [CatalogueSource(path: catalogue)],
      store: .sqlite(path: "\(folder.path)/store.sqlite"))
  }

  private func logIn(
    _ client: RPCClient, _ user: String = "user-1", options: CallOptions = CallOptions()
  ) async throws(RPCError) -> CreateSessionResponse {
    try await LoginServiceClient(client).createSession(
      CreateSessionRequest(appID: TestCatalogue.shop, credential: .externalUserID(user)),
      options: options)
  }

  @Test("Log in, list, buy, finish, log out: every service answers over TLS")
  func everything() async throws {
    try await run { server, client, _ in
      #expect(server.address.hasPrefix("127.0.0.1:") && !server.address.hasSuffix(":0"))
      let first = try await logIn(client)
      let second = try await logIn(client)
      #expect(first.created && !second.created)
      #expect(first.profileID == second.profileID)
      #expect(second.storefrontCountry == "DE")
      let session = CallOptions.session(second.sessionToken)
      let products = try await ProductsServiceClient(client).listProducts(
        ListProductsRequest(productIdentifiers: ["coins", "no-ads", "x"]), options: session)
      #expect(products.products.map(\.productIdentifier) == ["coins"])
      #expect(products.unsupportedIdentifiers == ["no-ads"])
      #expect(products.invalidIdentifiers == ["x"])
      let payments = PaymentsServiceClient(client)
      let bought = try await payments.createPurchase(PurchaseFixture.request(), options: session)
      let id = try #require(bought.transaction).transactionID
      let finished = try await payments.finishTransaction(
        FinishTransactionRequest(transactionID: id), options: session)
      #expect(finished.transaction?.finished == true)
      _ = try await LoginServiceClient(client).endSession(EndSessionRequest(), options: session)
      let error = try await failure { () throws(RPCError) in
        try await payments.listTransactions(ListTransactionsRequest(), options: session)
      }
      #expect(error.refusalReason == .sessionEnded)
    }
  }

  @Test("B16, B18: 60 simultaneous first logins over several connections: one profile, no error")
  func simultaneousLogins() async throws {
    try await run { _, client, _ in
      for round in 0..<5 {
        let answers = try await withThrowingTaskGroup(of: CreateSessionResponse.self) { group in
          for _ in 0..<60 { group.addTask { try await logIn(client, "late-\(round)") } }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(answers.map(\.profileID)).count == 1)
        #expect(answers.filter(\.created).count == 1)
      }
    }
  }

  @Test("Watchers are told over TLS; a drain ends them at once, and is clean")
  func watching() async throws {
    try await run { server, client, _ in
      let session = CallOptions.session(try await logIn(client).sessionToken)
      let payments = PaymentsServiceClient(client)
      var answers = payments.watchTransactions(
        WatchTransactionsRequest(), options: session
      ).makeAsyncIterator()
      #expect(try await answers.next()?.event == nil)
      let bought = try await payments.createPurchase(PurchaseFixture.request(), options: session)
      guard case .transaction(let begun) = try await answers.next()?.event,
        case .transaction(let paid) = try await answers.next()?.event
      else { throw TestFailure("no transactions") }
      #expect(begun.state == .purchasing && paid == bought.transaction)
      async let isClean = server.drain(within: .seconds(30))
      do throws(RPCError) {
        while try await answers.next() != nil {}
        Issue.record("the watch ended without an error")
      } catch {
        #expect(error.code == .unavailable)
      }
      #expect(await isClean)
    }
  }

  @Test("An app's client certificate is taken from the connection")
  func clientCertificate() async throws {
    let certificates = try await TestCertificates.shared.value
    let apps = """
      {"apps": [{"id": "com.example.shop", "client_certificate": {"subject": "CN=onside client"}}]}
      """
    for withCertificate in [true, false] {
      try await run(
        { configuration, folder in
          configuration.tls.clientCAFile = certificates.folder + "/ca.pem"
          configuration.tls.clientCertificates = .optional
          configuration.appsFile = try folder.write(apps, to: "apps.json")
        }, withCertificate: withCertificate
      ) { server, client, folder in
        let error = try await failure { () throws(RPCError) in try await logIn(client) }
        #expect(error.refusalReason == .appCertificateRequired)
        // Registered by the fingerprint of the certificate that was made for the tests, it is let
        // in.
        guard withCertificate else { return }
        let print = try await certificates.clientFingerprint()
        try folder.write(
          apps.replacing("\"subject\": \"CN=onside client\"", with: "\"sha256\": \"\(print)\""),
          to: "apps.json")
        #expect(await server.reload())
        #expect(try await logIn(client).created)
      }
    }
  }

  @Test(
    "A reload takes new products and apps; what is broken is refused, and what was in use stays")
  func reload() async throws {
    try await run { _, _ in
    } _: { server, client, folder in
      let session = CallOptions.session(try await logIn(client).sessionToken)
      let products = ProductsServiceClient(client)
      let request = ListProductsRequest(productIdentifiers: ["coins", "rubies"])
      let dearer = TestCatalogue.text.replacing("4.99", with: "5.99")
      try folder.write(dearer.replacing("\"gems\"", with: "\"rubies\""), to: "catalogue.jsonl")
      #expect(await server.reload())
      let renewed = try await products.listProducts(request, options: session)
      #expect(renewed.products.map(\.productIdentifier) == ["coins", "rubies"])
      #expect(renewed.products.first?.price?.minorUnits == 599)
      try folder.write(TestCatalogue.text + "{\"id\":}\n", to: "catalogue.jsonl")
      #expect(await !server.reload())
      #expect(try await products.listProducts(request, options: session) == renewed)
    }
  }

  @Test("A list longer than the client takes is refused with both numbers, over a connection too")
  func smallClient() async throws {
    try await run { server, _, _ in
      let group = try EventLoopGroup(loops: 1)
      var configuration = ClientConfiguration()
      configuration.connection.maximumMessageSize = 50
      let client = RPCClient(
        to: try Endpoint(server.address),
        tls: try await TestCertificates.shared.value.client(withCertificate: false), group: group,
        configuration: configuration)
      let products = ProductsServiceClient(client)
      let request = ListProductsRequest(
        productIdentifiers: ["coins", "gems"], appID: TestCatalogue.shop)
      // The server knows the limit once the client's first frame is there, before any call.
      let error = try await failure { () throws(RPCError) in
        try await products.listProducts(request)
      }
      #expect(error.code == .resourceExhausted)
      #expect(error.message.contains("more than the 50 that this client takes"), "\(error)")
      let one = ListProductsRequest(productIdentifiers: ["x"], appID: TestCatalogue.shop)
      #expect(try await products.listProducts(one).invalidIdentifiers == ["x"])
      await client.close()
      await group.shutdown()
    }
  }

  @Test("Nothing is half-started: a wrong thing is named, and no store is made")
  func startErrors() async throws {
    let certificates = try await TestCertificates.shared.value
    let busy = try Self.busyPort()
    defer { close(busy.descriptor) }
    let cases:
      [(
        StartError.Code, String,
        (inout MarketplaceServerConfiguration, TemporaryFolder) throws -> Void
      )] = [
        (
          .certificate, "none.pem",
          { configuration, _ in
            configuration.tls.certificateFile = "/none.pem"
          }
        ),
        (
          .certificate, "client.key",
          { configuration, _ in
            configuration.tls.keyFile = certificates.folder + "/client.key"
          }
        ),
        (
          .apps, "apps.json:1:1",
          { configuration, folder in
            configuration.appsFile = try folder.write("[]", to: "apps.json")
          }
        ),
        (
          .address, "127.0.0.1:\(busy.port)",
          { configuration, _ in
            configuration.endpoint = .host("127.0.0.1", port: busy.port)
          }
        ),
        (
          .address, "192.0.2.1",
          { configuration, _ in
            configuration.endpoint = .host("192.0.2.1", port: 0)
          }
        ),
        (
          .catalogue, "broken.jsonl:1",
          { configuration, folder in
            configuration.catalogue = [
              CatalogueSource(path: try folder.write("nonsense\n", to: "broken.jsonl"))
            ]
          }
        ),
      ]
    let group = try EventLoopGroup(loops: 1)
    for (code, text, configure) in cases {
      let folder = try TemporaryFolder()
      var configuration = try configuration(certificates, folder)
      try configure(&configuration, folder)
      let error = await #expect(throws: StartError.self) {
        try await MarketplaceServer.start(configuration, group: group, log: LogRecorder().logger)
      }
      #expect(error?.code == code, "\(String(describing: error))")
      #expect(error?.message.contains(text) == true, "\(String(describing: error))")
      #expect(error?.message.contains("\n") == false)
      #expect(access("\(folder.path)/store.sqlite", F_OK) != 0)
    }
    await group.shutdown()
  }

  @Test("A store that another server has open is refused, and the other one goes on")
  func lockedStore() async throws {
    try await run { server, client, folder in
      let certificates = try await TestCertificates.shared.value
      let group = try EventLoopGroup(loops: 1)
      let second = try configuration(certificates, folder)
      let error = await #expect(throws: StartError.self) {
        try await MarketplaceServer.start(second, group: group, log: LogRecorder().logger)
      }
      #expect(error?.code == .store)
      #expect(error?.message.contains("in use by another server") == true)
      await group.shutdown()
      #expect(try await logIn(client).created)
    }
  }

  /// A port that somebody listens on.
  private static func busyPort() throws -> (descriptor: Int32, port: UInt16) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, size) == 0 && listen(descriptor, 1) == 0
          && getsockname(descriptor, address, &size) == 0
      }
    }
    guard isListening else { throw TestFailure("no busy port") }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }
}
