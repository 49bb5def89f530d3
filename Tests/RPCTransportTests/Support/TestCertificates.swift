import TestSupport
import Foundation
import RPCTransport

/// The protocol that the tests speak.
let testProtocol = "onside/1"

/// Certificates in a folder, made with the project's script.
struct TestCertificates: Sendable {
  let folder: TemporaryFolder

  /// One set that tests which don't change the files share.
  static let shared = Task { try await TestCertificates() }

  init() async throws {
    folder = try TemporaryFolder()
    _ = try await CertificateFolder(in: folder.path)
  }

  struct Failure: Error, CustomStringConvertible {
    var description: String
    init(_ text: String) { description = text }
  }

  func path(_ name: String) -> String { folder.path + "/" + name }

  var server: ServerTLS.Configuration {
    ServerTLS.Configuration(
      certificateFile: path("server.pem"), keyFile: path("server.key"),
      applicationProtocols: [testProtocol])
  }

  var client: ClientTLS.Configuration {
    var configuration = ClientTLS.Configuration(applicationProtocols: [testProtocol])
    configuration.trust = .file(path("ca.pem"))
    return configuration
  }

  var mutualServer: ServerTLS.Configuration {
    var configuration = server
    configuration.clientCAFile = path("ca.pem")
    return configuration
  }

  var mutualClient: ClientTLS.Configuration {
    var configuration = client
    configuration.certificateFile = path("client.pem")
    configuration.keyFile = path("client.key")
    return configuration
  }

  /// Makes `NAME.pem` and `NAME.key`, signed by the CA (or by itself), with the given extensions.
  func make(
    _ name: String, extensions: String, days: Int = 30, selfSigned: Bool = false,
    authority: TestCertificates? = nil
  ) async throws {
    let ca = authority ?? self
    try write(
      """
      [req]
      distinguished_name = subject
      [subject]
      [chosen]
      \(extensions)
      """, to: path(name + ".cnf"))
    let signer =
      selfSigned
      ? ["-key", path(name + ".key")] : ["-CA", ca.path("ca.pem"), "-CAkey", ca.path("ca.key")]
    for arguments in [
      [
        "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc", "-subj",
        "/CN=\(name)", "-config", path(name + ".cnf"), "-keyout", path(name + ".key"), "-out",
        path(name + ".csr"),
      ],
      [
        "x509", "-req", "-in", path(name + ".csr"), "-days", "\(days)", "-extfile",
        path(name + ".cnf"), "-extensions", "chosen", "-out", path(name + ".pem"), "-set_serial",
        "0x1\(String(UInt64.random(in: .min ... .max), radix: 16))",
      ] + signer,
    ] {
      let made = try await Program.run(["openssl"] + arguments)
      guard made.status == 0 else { throw Failure(made.everything) }
    }
  }

  static let serverExtensions = """
    basicConstraints = critical, CA:FALSE
    keyUsage = critical, digitalSignature
    extendedKeyUsage = serverAuth
    subjectAltName = DNS:localhost, IP:127.0.0.1
    """
}
