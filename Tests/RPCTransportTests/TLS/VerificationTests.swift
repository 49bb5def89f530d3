import RPCTransport
import Testing

@Suite("Verification of the server")
struct VerificationTests {
  private func refusal(
    _ server: ServerTLS.Configuration, _ client: ClientTLS.Configuration, host: String = "127.0.0.1"
  ) async throws -> ConnectError? {
    let tls = try ClientTLS(client)
    return try await TestServer.with(server) { server -> ConnectError? in
      let endpoint = Endpoint.host(host, port: server.port)
      do {
        let connection = try await TestConnection.open(endpoint, tls, server.group)
        _ = await connection.close()
        return nil
      } catch {
        return error as? ConnectError
      }
    }
  }

  private func certificate(
    _ extensions: String, days: Int = 30, selfSigned: Bool = false
  ) async throws -> ServerTLS.Configuration {
    let certificates = try await TestCertificates.shared.value
    let name = "made-\(UInt32.random(in: .min ... .max))"
    try await certificates.make(
      name, extensions: extensions, days: days, selfSigned: selfSigned)
    return ServerTLS.Configuration(
      certificateFile: certificates.path(name + ".pem"), keyFile: certificates.path(name + ".key"),
      applicationProtocols: [testProtocol])
  }

  @Test(arguments: ["127.0.0.1", "localhost"])
  func rightNameIsTaken(host: String) async throws {
    let certificates = try await TestCertificates.shared.value
    #expect(try await refusal(certificates.server, certificates.client, host: host) == nil)
  }

  @Test func wrongNameIsRefusedAndBothAreNamed() async throws {
    let certificates = try await TestCertificates.shared.value
    var client = certificates.client
    client.serverName = "shop.example"
    let error = try await refusal(certificates.server, client)
    #expect(error?.phase == .tls && error?.code == .certificate)
    #expect(
      error?.text
        == "the server's certificate isn't for shop.example: it is for localhost, 127.0.0.1, ::1")
  }

  @Test func wrongAddressIsRefused() async throws {
    let certificates = try await TestCertificates.shared.value
    let error = try await refusal(certificates.server, certificates.client, host: "127.0.0.2")
    // The server listens on 127.0.0.1 only.
    #expect(error?.phase == .tcp && error?.code == .refused)
    var client = certificates.client
    client.serverName = "10.0.0.1"
    #expect(try await refusal(certificates.server, client)?.code == .certificate)
  }

  /// A name that happens to be the address as text doesn't make it the server's address.
  @Test func addressIsNotLookedForAmongNames() async throws {
    let certificates = try await TestCertificates.shared.value
    let server = try await certificate(
      """
      extendedKeyUsage = serverAuth
      subjectAltName = DNS:127.0.0.1
      """)
    #expect(try await refusal(server, certificates.client)?.code == .certificate)
  }

  /// The subject's common name doesn't count: only the alternative names do.
  @Test func commonNameDoesNotCount() async throws {
    let certificates = try await TestCertificates.shared.value
    let server = try await certificate("extendedKeyUsage = serverAuth")
    let error = try await refusal(server, certificates.client, host: "localhost")
    #expect(error?.code == .certificate)
    #expect(error?.text.contains("no name at all") == true)
  }

  @Test func expiredIsRefused() async throws {
    let certificates = try await TestCertificates.shared.value
    let server = try await certificate(TestCertificates.serverExtensions, days: -1)
    let error = try await refusal(server, certificates.client)
    #expect(error?.code == .certificate)
    #expect(error?.text.contains("expired") == true)
  }

  @Test func selfSignedIsRefused() async throws {
    let certificates = try await TestCertificates.shared.value
    let server = try await certificate(TestCertificates.serverExtensions, selfSigned: true)
    let error = try await refusal(server, certificates.client)
    #expect(error?.code == .certificate)
    #expect(error?.text.contains("self-signed") == true)
  }

  @Test func otherAuthorityIsRefused() async throws {
    let certificates = try await TestCertificates.shared.value
    let others = try await TestCertificates()
    let error = try await refusal(others.server, certificates.client)
    #expect(error?.code == .certificate)
    #expect(error?.text.contains("authority") == true)
  }

  @Test func certificateForClientsIsRefused() async throws {
    let certificates = try await TestCertificates.shared.value
    let server = try await certificate(
      """
      extendedKeyUsage = clientAuth
      subjectAltName = DNS:localhost, IP:127.0.0.1
      """)
    let error = try await refusal(server, certificates.client)
    #expect(error?.code == .certificate)
    #expect(error?.text.contains("use") == true)
  }

  @Test func systemTrustDoesNotKnowTheDevelopmentAuthority() async throws {
    let certificates = try await TestCertificates.shared.value
    let client = ClientTLS.Configuration(applicationProtocols: [testProtocol])
    #expect(try await refusal(certificates.server, client)?.code == .certificate)
  }

  @Test func verificationCanBeSwitchedOffExplicitly() async throws {
    let certificates = try await TestCertificates.shared.value
    let others = try await TestCertificates()
    var client = certificates.client
    client.verification = .insecureNone
    #expect(try await refusal(others.server, client) == nil)
  }

  /// No name goes over the wire for an IP address; a host's does (C30).
  @Test func addressesAreNotSentAsNames() async throws {
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    let names = EventLog<String?>()
    try await TestServer.with(
      certificates.server,
      handler: { channel, ends in
        names.add(channel.security.serverName)
        return EchoHandler(ends)
      }
    ) { server in
      for host in ["127.0.0.1", "localhost"] {
        let connection = try await TestConnection.open(
          .host(host, port: server.port), tls, server.group)
        _ = await connection.close()
      }
    }
    #expect(names.all == [nil, "localhost"])
  }

  @Test func addressOfVersion6IsVerified() async throws {
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    try await TestServer.with(certificates.server, endpoint: Endpoint("[::1]:0")) { server in
      let connection = try await TestConnection.open(server.endpoint, tls, server.group)
      #expect(await connection.echo([1, 2, 3]) == [1, 2, 3])
      #expect(await connection.channel?.peer.description == "[::1]:\(server.port)")
      _ = await connection.close()
    }
  }
}
