import RPCTransport
import Testing

@Suite("Reloading certificates")
struct ReloadTests {
  /// The files change under load, the certificate before the key: nobody notices, and afterwards
  /// new connections see the new one (C27).
  @Test func reloadUnderLoad() async throws {
    let certificates = try await TestCertificates()
    let newer = try await TestCertificates()
    try await newer.make(
      "server", extensions: TestCertificates.serverExtensions, authority: certificates)
    let tls = try ClientTLS(certificates.client)
    try await TestServer.with(certificates.server) { server in
      let oldSerial = server.tls.certificateSerial
      let open = try await TestConnection.open(server.endpoint, tls, server.group)
      let rounds = EventLog<Bool>()
      let load = Task {
        while !Task.isCancelled {
          let connection = try? await TestConnection.open(
            server.endpoint, ClientTLS(certificates.client), server.group)
          rounds.add(await connection?.echo([1]) == [1])
          _ = await connection?.close()
        }
      }
      _ = await rounds.wait(for: 1)
      try copyFile(newer.path("server.pem"), certificates.path("server.pem"))
      let error = #expect(throws: TLSConfigurationError.self) { try server.tls.reload() }
      #expect(error?.code == .mismatch)
      #expect(server.tls.certificateSerial == oldSerial)
      _ = await rounds.wait(for: rounds.all.count + 2)
      try copyFile(newer.path("server.key"), certificates.path("server.key"))
      try server.tls.reload()
      #expect(server.tls.certificateSerial != oldSerial)
      let fresh = try await TestConnection.open(
        server.endpoint, ClientTLS(certificates.client), server.group)
      let seen = await fresh.security.peerCertificate?.serial
      #expect(seen == server.tls.certificateSerial)
      _ = await rounds.wait(for: rounds.all.count + 2)
      load.cancel()
      await load.value
      #expect(rounds.all.allSatisfy { $0 })
      // What was open before lives on.
      #expect(await open.echo([9]) == [9])
    }
  }

  /// A resumed session skips the check of the client's certificate: after a change of the client CA
  /// nothing may be resumed.
  @Test func changedClientAuthorityEndsResumption() async throws {
    let certificates = try await TestCertificates()
    let others = try await TestCertificates()
    try copyFile(certificates.path("ca.pem"), certificates.path("client-ca.pem"))
    var configuration = certificates.server
    configuration.clientCAFile = certificates.path("client-ca.pem")
    let tls = try ClientTLS(certificates.mutualClient)
    try await TestServer.with(configuration) { server in
      for isResumed in [false, true] {
        let connection = try await TestConnection.open(server.endpoint, tls, server.group)
        #expect(await connection.echo([1]) == [1])
        #expect(await connection.security.isResumed == isResumed)
        _ = await connection.close()
      }
      try copyFile(others.path("ca.pem"), certificates.path("client-ca.pem"))
      try server.tls.reload()
      let late = try await TestConnection.open(server.endpoint, tls, server.group)
      #expect(await late.security.isResumed == false)
      #expect(await late.echo([1]) == [])
      #expect(server.listener.counters.handshakeFailures == 1)
    }
  }
}
