import Testing

@Suite("TLS of onside-server, as openssl sees it", .timeLimit(.minutes(2)))
struct TLSVersionTests {
  /// Connects with `openssl s_client`, which ends after the handshake, and gives what it said.
  private func connect(
    _ server: ServerUnderTest, _ workspace: Workspace, _ options: [String]
  ) async throws -> (status: Int32, text: String) {
    let end = try await RunningProcess(
      "/usr/bin/openssl",
      [
        "s_client", "-connect", server.address, "-CAfile", workspace.certificates + "/ca.pem",
        "-verify_return_error",
      ] + options
    ).ended()
    return (end.status, end.output + end.errors)
  }

  @Test("TLS 1.3 with the protocol's name, a certificate for the address, X25519")
  func agreed() async throws {
    let workspace = try await Workspace()
    let server = try await ServerUnderTest(workspace)
    let (status, text) = try await connect(
      server, workspace, ["-alpn", "h2,onside/1", "-verify_ip", "127.0.0.1"])
    #expect(status == 0)
    #expect(text.contains("ALPN protocol: onside/1"), "\(text)")
    #expect(text.contains("New, TLSv1.3, Cipher is TLS_AES_128_GCM_SHA256"), "\(text)")
    #expect(text.contains("Server Temp Key: X25519"), "\(text)")
    #expect(text.contains("Verify return code: 0 (ok)"), "\(text)")
    try await server.stop()
  }

  @Test(
    "Another protocol's name, none at all, and older versions are refused with an alert",
    arguments: [
      (["-alpn", "h2,http/1.1"], "no application protocol"), ([], "no application protocol"),
      (["-alpn", "onside/1", "-tls1_2"], "protocol version"),
    ])
  func refused(_ options: [String], _ alert: String) async throws {
    let workspace = try await Workspace()
    let server = try await ServerUnderTest(workspace)
    let (status, text) = try await connect(server, workspace, options)
    #expect(status == 1)
    #expect(text.contains(alert), "\(text)")
    try await server.stop()
  }

  @Test("--tls-min 1.2 takes both versions")
  func older() async throws {
    let workspace = try await Workspace()
    let server = try await ServerUnderTest(workspace, ["--tls-min", "1.2"])
    for (option, version) in [("-tls1_2", "TLSv1.2"), ("-tls1_3", "TLSv1.3")] {
      let (status, text) = try await connect(server, workspace, ["-alpn", "onside/1", option])
      #expect(status == 0)
      #expect(text.contains("New, \(version), Cipher is "), "\(text)")
    }
    try await server.stop()
  }

  @Test("With --client-ca a client without a certificate is refused, one with it is served")
  func clientCertificate() async throws {
    let workspace = try await Workspace()
    let server = try await ServerUnderTest(
      workspace, ["--client-ca", workspace.certificates + "/ca.pem"])
    let onside = OnsideProgram(workspace, target: server.address)
    let login = ["login", "--external-id", "user"]
    let without = try await onside.run(login)
    #expect(without.status != 0)
    #expect(without.errors.contains("certificate"), "\(without.errors)")
    let with = try await onside.run(
      login + [
        "--certificate", workspace.certificates + "/client.pem",
        "--key", workspace.certificates + "/client.key",
      ])
    #expect(with.status == 0, "\(with.errors)")
    try await server.stop()
  }
}
