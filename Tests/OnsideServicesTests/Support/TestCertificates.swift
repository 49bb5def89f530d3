import RPC
import RPCTransport
import TestSupport

/// A folder of certificates, and what servers and clients do with it.
struct TestCertificates: Sendable {
  let folder: String

  static let shared = Task { try await TestCertificates() }

  private init() async throws {
    folder = try await CertificateFolder.shared.value.path
  }

  /// Makes a set of its own, with a CA of its own.
  init(in folder: String) async throws {
    self.folder = try await CertificateFolder(in: folder).path
  }

  var server: ServerTLS.Configuration {
    ServerTLS.Configuration(
      certificateFile: folder + "/server.pem", keyFile: folder + "/server.key",
      applicationProtocols: [RPCProtocol.name])
  }

  func client(withCertificate: Bool = false) throws -> ClientTLS {
    try client(withCertificate ? "client" : nil)
  }

  /// - Parameter certificate: The name of the client's certificate; nil: it comes without.
  func client(_ certificate: String?) throws -> ClientTLS {
    var configuration = ClientTLS.Configuration(applicationProtocols: [RPCProtocol.name])
    configuration.trust = .file(folder + "/ca.pem")
    if let certificate {
      configuration.certificateFile = "\(folder)/\(certificate).pem"
      configuration.keyFile = "\(folder)/\(certificate).key"
    }
    return try ClientTLS(configuration)
  }

  /// SHA-256 over the client's certificate, as the `openssl` command prints it: hexadecimal digits
  /// with colons.
  func clientFingerprint() async throws -> String {
    let printed = try await Program.run(
      ["openssl", "x509", "-in", folder + "/client.pem", "-noout", "-fingerprint", "-sha256"])
    guard printed.status == 0, let print = printed.text.split(separator: "=").last else {
      throw TestFailure(printed.everything)
    }
    return print.filter { $0.isHexDigit || $0 == ":" }
  }
}
