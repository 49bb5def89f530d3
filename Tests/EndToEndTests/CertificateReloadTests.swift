import Glibc
import Testing

@Suite("C27: certificates while the server runs", .timeLimit(.minutes(2)))
struct CertificateReloadTests {
  /// The serial number of the certificate that a new connection gets.
  private func serial(_ server: ServerUnderTest) async throws -> String {
    let script =
      "openssl s_client -connect \(server.address) -alpn onside/1 < /dev/null 2> /dev/null "
      + "| openssl x509 -noout -serial"
    let end = try await RunningProcess("/bin/sh", ["-c", script]).ended()
    try #require(end.output.hasPrefix("serial="), "\(end.errors)")
    return String(end.output.split(separator: "\n")[0].dropFirst("serial=".count))
  }

  @Test("SIGHUP between two writes keeps the old pair, behind them brings the new; calls live on")
  func signal() async throws {
    let certificates = try await RotatingCertificates()
    let workspace = try await Workspace(certificates: certificates.folder)
    let server = try await ServerUnderTest(workspace, ["--certificate-check-interval", "0"])
    let watch = try RunningProcess(
      "onside",
      [
        "call", "rpc.v1.Health/Watch", "--target", server.address, "--ca",
        certificates.folder + "/ca.pem", "--no-session",
      ])
    #expect(await watch.firstLine() == "{")
    let old = try await serial(server)

    try certificates.overwrite("server.pem", with: 1)
    server.signal(SIGHUP)
    await server.waitForLog("reload failed: what was in use stays what=certificates")
    #expect(try await serial(server) == old)

    try certificates.overwrite("server.key", with: 1)
    server.signal(SIGHUP)
    await server.waitForLog("certificates were read again serial=")
    let new = try await serial(server)
    #expect(new != old)

    // The connection from before the changes has lived through both.
    let end = try await server.stop()
    #expect(end.errors.contains("certificates were read again serial=\(new)"), "\(end.errors)")
    #expect(end.errors.contains("doesn't belong to the certificate"), "\(end.errors)")
    let states = await watch.ended()
    #expect(states.status == 0, "\(states.errors)")
    #expect(states.output.contains("SERVING_STATUS_NOT_SERVING"))
  }
}
