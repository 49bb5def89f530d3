import TestSupport
import RPCTransport
import Testing

@Suite("Versions and application protocols")
struct ProtocolTests {
  /// What `openssl s_client` says with these options.
  private func ask(_ options: [String], _ configuration: ServerTLS.Configuration) async throws
    -> String
  {
    let certificates = try await TestCertificates.shared.value
    return try await TestServer.with(configuration) { server in
      let outcome = try await Program.run(
        [
          "openssl", "s_client", "-connect", "127.0.0.1:\(server.port)", "-CAfile",
          certificates.path("ca.pem"), "-verify_return_error",
        ] + options)
      return outcome.everything
    }
  }

  @Test func otherImplementationGetsTheAgreedSettings() async throws {
    let certificates = try await TestCertificates.shared.value
    let text = try await ask(["-alpn", "h2,onside/1"], certificates.server)
    #expect(text.contains("ALPN protocol: onside/1"))
    #expect(text.contains("New, TLSv1.3, Cipher is TLS_AES_128_GCM_SHA256"))
    #expect(text.contains("Server Temp Key: X25519"))
    #expect(text.contains("Verify return code: 0 (ok)"))
    #expect(text.contains("Compression: NONE"))
  }

  @Test(arguments: [["-alpn", "h2,http/1.1"], []])
  func withoutACommonProtocolTheAlertSaysSo(options: [String]) async throws {
    let certificates = try await TestCertificates.shared.value
    let text = try await ask(options, certificates.server)
    #expect(text.contains("no application protocol"))
  }

  @Test(arguments: ["-tls1_2", "-tls1_1"])
  func olderVersionsAreRefused(version: String) async throws {
    let certificates = try await TestCertificates.shared.value
    let text = try await ask([version, "-alpn", testProtocol], certificates.server)
    #expect(!text.contains("ALPN protocol: onside/1"))
    #expect(text.contains("protocol version") || text.contains("no protocols available"))
  }

  @Test func version12IsTakenWhenAllowed() async throws {
    let certificates = try await TestCertificates.shared.value
    var server = certificates.server
    server.minimumVersion = .v1_2
    let text = try await ask(["-tls1_2", "-alpn", testProtocol], server)
    #expect(
      text.contains("New, TLSv1.2, Cipher is ECDHE-ECDSA-AES128-GCM-SHA256")
        || text.contains("New, TLSv1.2, Cipher is ECDHE-ECDSA-AES256-GCM-SHA384"))
    #expect(text.contains("ALPN protocol: onside/1"))
    let newest = try await ask(["-alpn", testProtocol], server)
    #expect(newest.contains("New, TLSv1.3"))
  }

  /// Both sides say what they speak (C21).
  @Test func clientWithoutACommonProtocolGetsAClearError() async throws {
    let certificates = try await TestCertificates.shared.value
    var client = certificates.client
    client.applicationProtocols = ["onside/2", "h2"]
    let tls = try ClientTLS(client)
    try await TestServer.with(certificates.server) { server in
      let error = await #expect(throws: ConnectError.self) {
        try await TestConnection.open(server.endpoint, tls, server.group)
      }
      #expect(error?.code == .noApplicationProtocol && error?.phase == .tls)
      #expect(error?.text.contains("onside/2, h2") == true)
      guard case .handshakeFailed(_, let end) = await server.events.wait(for: 1)[0] else {
        Issue.record("another event")
        return
      }
      #expect(end.code == .noApplicationProtocol)
      #expect(
        end.text == "the client offers the protocols onside/2, h2; this server speaks onside/1")
    }
  }

  @Test func firstProtocolOfTheServerThatTheClientOffersIsTaken() async throws {
    let certificates = try await TestCertificates.shared.value
    var configuration = certificates.server
    configuration.applicationProtocols = ["onside/2", "onside/1"]
    var client = certificates.client
    client.applicationProtocols = ["h2", "onside/1", "onside/2"]
    let tls = try ClientTLS(client)
    try await TestServer.with(configuration) { server in
      let connection = try await TestConnection.open(server.endpoint, tls, server.group)
      #expect(await connection.security.applicationProtocol == "onside/2")
      _ = await connection.close()
    }
  }

  @Test(arguments: [[], [""], [String(repeating: "x", count: 256)]])
  func impossibleProtocolNamesAreRefused(names: [String]) async throws {
    let certificates = try await TestCertificates.shared.value
    var client = certificates.client
    client.applicationProtocols = names
    #expect(throws: TLSConfigurationError.self) { try ClientTLS(client) }
  }
}
