import TestSupport
import COpenSSL
import Foundation
import Testing

@testable import RPCTransport

/// Session tickets as another implementation sees them (rows 16 and 17), and what TLS lets a peer
/// ask for again and again (row 15).
@Suite("Tickets and renegotiation with OpenSSL's client")
struct TicketRotationTests {
  /// Connects with `openssl s_client`, keeps the session it gets in a file or offers the one there,
  /// and waits for what it prints then.
  private func visit(
    _ server: TestServer, _ certificates: TestCertificates, _ folder: TemporaryFolder,
    _ option: String, until text: String
  ) async throws -> String {
    // The client ends when its input does; the ticket comes some time after the handshake.
    let script = """
      { i=0
        until grep -q "$4" "$1/out" || [ $i = 600 ]; do sleep 0.05; i=$((i + 1)); done
      } | stdbuf -oL openssl s_client -connect 127.0.0.1:$2 -CAfile "$1/ca.pem" -alpn onside/1 \
        $3 "$1/session" > "$1/out" 2>&1
      """
    try write("", to: folder.path + "/out")
    try copyFile(certificates.path("ca.pem"), folder.path + "/ca.pem")
    _ = try await Program.run([
      "sh", "-c", script, "sh", folder.path, "\(server.port)", option, text,
    ])
    return try String(contentsOfFile: folder.path + "/out", encoding: .utf8)
  }

  @Test func aTicketIsTakenUntilItsKeyHasChangedTwice() async throws {
    let certificates = try await TestCertificates.shared.value
    let folder = try TemporaryFolder()
    try await TestServer.with(certificates.server) { server in
      let first = try await visit(
        server, certificates, folder, "-sess_out", until: "Session Ticket arrived")
      #expect(first.contains("New, TLSv1.3") && first.contains("Session Ticket arrived"))
      for rotation in 0..<3 {
        let again = try await visit(
          server, certificates, folder, "-sess_in", until: "Cipher is TLS")
        #expect(again.contains("Reused, TLSv1.3") == (rotation < 2), "rotation \(rotation)")
        #expect(again.contains("New, TLSv1.3") == (rotation == 2), "rotation \(rotation)")
        server.tls.rotateTicketKeys()
      }
      #expect(server.listener.counters.resumed == 2)
      // No session is kept for any of them: there is nothing that could grow.
      let cached = SSL_CTX_ctrl(server.tls.currentContext.pointer, SSL_CTRL_SESS_NUMBER, 0, nil)
      #expect(cached == 0)
    }
  }

  /// TLS 1.2, where a client may ask for a new handshake at any time: it doesn't get one.
  @Test func renegotiationIsRefused() async throws {
    let certificates = try await TestCertificates.shared.value
    var configuration = certificates.server
    configuration.minimumVersion = .v1_2
    try await TestServer.with(configuration) { server in
      let outcome = try await Program.run(
        [
          "openssl", "s_client", "-connect", "127.0.0.1:\(server.port)", "-tls1_2", "-CAfile",
          certificates.path("ca.pem"), "-alpn", testProtocol,
        ], input: Array("R\n".utf8))
      #expect(outcome.everything.contains("RENEGOTIATING"))
      #expect(outcome.everything.contains("no renegotiation"), "\(outcome.everything.suffix(400))")
      #expect(server.listener.counters.handshakes == 1)
    }
  }
}
