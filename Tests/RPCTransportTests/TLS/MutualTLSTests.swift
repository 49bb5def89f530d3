import TestSupport
import RPCTransport
import Testing

@Suite("Client certificates")
struct MutualTLSTests {
  @Test func serverKnowsWhoTheClientIs() async throws {
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.mutualClient)
    let peers = EventLog<PeerCertificate?>()
    try await TestServer.with(
      certificates.mutualServer,
      handler: { channel, ends in
        peers.add(channel.security.peerCertificate)
        return EchoHandler(ends)
      }
    ) { server in
      for isResumed in [false, true] {
        let connection = try await TestConnection.open(server.endpoint, tls, server.group)
        #expect(await connection.echo([1]) == [1])
        #expect(await connection.security.isResumed == isResumed)
        _ = await connection.close()
      }
    }
    let printed = try await Program.run([
      "openssl", "x509", "-in", certificates.path("client.pem"), "-noout", "-fingerprint",
      "-sha256", "-serial",
    ]).text
    // The resumed session brings the same certificate.
    #expect(peers.all.count == 2 && peers.all[0] == peers.all[1])
    let peer = try #require(peers.all[0])
    #expect(peer.subject == "CN=development client,O=Onside development")
    #expect(
      peer.alternativeNames == [.uri("onside:client:development"), .email("client@onside.example")])
    #expect(printed.contains("serial=\(peer.serial)"))
    let hex = printed.split(separator: "=")[1].prefix { $0 != "\n" }
    #expect(peer.fingerprintText == hex.filter { $0 != ":" }.lowercased())
  }

  private func outcome(
    _ server: ServerTLS.Configuration, _ client: ClientTLS.Configuration
  ) async throws -> (isEchoed: Bool, failures: [ListenerEvent]) {
    let tls = try ClientTLS(client)
    return try await TestServer.with(server) { server in
      // With TLS 1.3 a client is done before the server has seen its certificate: the refusal comes
      // with the first read.
      var isEchoed = false
      if let connection = try? await TestConnection.open(server.endpoint, tls, server.group) {
        isEchoed = await connection.echo([1]) == [1]
        if isEchoed {
          _ = await connection.close()
        } else {
          #expect(await connection.ended().text.contains("TLS: "))
        }
      }
      let failures = isEchoed ? [] : await server.events.wait(for: 1)
      return (isEchoed, failures)
    }
  }

  @Test func clientWithoutCertificateIsRefusedIfRequired() async throws {
    let certificates = try await TestCertificates.shared.value
    let refused = try await outcome(certificates.mutualServer, certificates.client)
    #expect(!refused.isEchoed)
    var optional = certificates.mutualServer
    optional.clientCertificates = .optional
    #expect(try await outcome(optional, certificates.client).isEchoed)
  }

  @Test func certificateOfAnotherAuthorityIsRefused() async throws {
    let certificates = try await TestCertificates.shared.value
    let others = try await TestCertificates()
    var client = certificates.client
    client.certificateFile = others.path("client.pem")
    client.keyFile = others.path("client.key")
    for policy in [ServerTLS.ClientCertificates.required, .optional] {
      var server = certificates.mutualServer
      server.clientCertificates = policy
      let refused = try await outcome(server, client)
      #expect(!refused.isEchoed)
      guard case .handshakeFailed(_, let end)? = refused.failures.first else {
        Issue.record("no failure told")
        continue
      }
      #expect(end.text.contains("the client's certificate"))
    }
  }

  @Test func certificateForServersIsNoClientCertificate() async throws {
    let certificates = try await TestCertificates.shared.value
    var client = certificates.client
    client.certificateFile = certificates.path("server.pem")
    client.keyFile = certificates.path("server.key")
    #expect(try await outcome(certificates.mutualServer, client).isEchoed == false)
  }
}
