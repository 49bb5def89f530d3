import TestSupport
import Foundation
import RPCTransport
import Testing

@Suite("Certificate files")
struct ConfigurationTests {
  private func error(
    _ change: (inout ServerTLS.Configuration, TestCertificates) throws -> Void
  ) async throws -> TLSConfigurationError? {
    let certificates = try await TestCertificates()
    var configuration = certificates.server
    try change(&configuration, certificates)
    do {
      _ = try ServerTLS(configuration)
      return nil
    } catch {
      return error
    }
  }

  @Test func missingFileIsNamed() async throws {
    let error = try await error { configuration, _ in
      configuration.certificateFile = "/nowhere/server.pem"
    }
    #expect(error?.code == .unreadable)
    #expect(error?.message.contains("/nowhere/server.pem: No such file or directory") == true)
  }

  @Test func folderInPlaceOfAFileIsNamed() async throws {
    let error = try await error { configuration, certificates in
      configuration.keyFile = certificates.folder.path
    }
    #expect(error?.code == .unreadable)
  }

  @Test func textThatIsNoPEMIsNamed() async throws {
    let error = try await error { configuration, certificates in
      configuration.certificateFile = certificates.path("text")
      try write("hello\n", to: certificates.path("text"))
    }
    #expect(error?.code == .malformed)
    #expect(error?.message.contains("BEGIN CERTIFICATE") == true)
    #expect(error?.message.contains("/text ") == true)
  }

  @Test func damagedCertificateIsNamed() async throws {
    let error = try await error { configuration, certificates in
      var text = try String(contentsOfFile: certificates.path("server.pem"), encoding: .utf8)
      text = text.replacingOccurrences(of: "MII", with: "MIIMII")
      try write(text, to: certificates.path("server.pem"))
    }
    #expect(error?.code == .malformed)
    #expect(error?.message.contains("server.pem") == true)
  }

  @Test func certificateInPlaceOfAKeyIsNamed() async throws {
    let error = try await error { configuration, certificates in
      configuration.keyFile = certificates.path("server.pem")
    }
    #expect(error?.code == .malformed)
    #expect(error?.message.contains("private key") == true)
  }

  @Test func mismatchNamesBothFiles() async throws {
    let error = try await error { configuration, certificates in
      configuration.keyFile = certificates.path("client.key")
    }
    #expect(error?.code == .mismatch)
    #expect(error?.message.contains("client.key") == true)
    #expect(error?.message.contains("server.pem") == true)
  }

  /// Nobody is asked for a passphrase: the process may have no terminal, or somebody else's.
  @Test func encryptedKeyIsRefusedWithoutAsking() async throws {
    let certificates = try await TestCertificates()
    let encrypted = try await Program.run([
      "openssl", "pkcs8", "-topk8", "-in", certificates.path("server.key"), "-out",
      certificates.path("locked.key"), "-passout", "pass:secret",
    ])
    #expect(encrypted.status == 0)
    var configuration = certificates.server
    configuration.keyFile = certificates.path("locked.key")
    let error = #expect(throws: TLSConfigurationError.self) { try ServerTLS(configuration) }
    #expect(error?.code == .encryptedKey)
  }

  @Test func clientAuthoritiesAndTrustAreCheckedAtStart() async throws {
    let error = try await error { configuration, certificates in
      configuration.clientCAFile = certificates.path("none.pem")
    }
    #expect(error?.message.contains("client CA") == true)
    let certificates = try await TestCertificates.shared.value
    var client = certificates.client
    client.trust = .file(certificates.path("ca.key"))
    #expect(throws: TLSConfigurationError.self) { try ClientTLS(client) }
    client = certificates.client
    client.certificateFile = certificates.path("client.pem")
    let half = #expect(throws: TLSConfigurationError.self) { try ClientTLS(client) }
    #expect(half?.message.contains("go together") == true)
  }

  /// The script leaves good certificates alone, and replaces what is missing or doesn't fit.
  @Test func scriptMakesAnewOnlyWhatIsNeeded() async throws {
    let certificates = try await TestCertificates()
    func run() async throws -> String {
      let script = Folders.package.appending(path: "Scripts/certs.sh").path
      return try await Program.run(["sh", script, certificates.folder.path]).everything
    }
    #expect(try await run() == "")
    try FileManager.default.removeItem(atPath: certificates.path("client.key"))
    #expect(try await run() == "made \(certificates.path("client.pem"))\n")
    try FileManager.default.removeItem(atPath: certificates.path("ca.pem"))
    #expect(try await run().split(separator: "\n").count == 4)
    let mode = try FileManager.default.attributesOfItem(atPath: certificates.path("ca.key"))
    #expect(mode[.posixPermissions] as? Int == 0o600)
  }
}
