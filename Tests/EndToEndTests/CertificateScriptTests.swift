import Foundation
import Testing

@Suite("make certs", .timeLimit(.minutes(1)))
struct CertificateScriptTests {
  /// Runs the script in a copy of what it needs, with its default folder, as `make certs` does.
  private func run(in folder: String, days: Int = 365) async throws -> [Substring] {
    let end = try await RunningProcess(
      "/usr/bin/env", ["CERTS_DAYS=\(days)", "/bin/sh", folder + "/Scripts/certs.sh"]
    ).ended()
    #expect(end.status == 0, "\(end.errors)")
    #expect(end.errors == "")
    return end.output.split(separator: "\n")
  }

  private func copy() throws -> String {
    let manager = FileManager.default
    let folder = manager.temporaryDirectory.path + "/onside-certs-\(UUID().uuidString)"
    for path in ["Scripts/certs.sh", "Certs/openssl.cnf"] {
      let place = folder + "/" + path
      try manager.createDirectory(
        atPath: (place as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try manager.copyItem(atPath: Workspace.packageRoot + "/" + path, toPath: place)
    }
    return folder
  }

  @Test("It makes them when they are missing or about to expire, and leaves good ones alone")
  func madeAnew() async throws {
    let folder = try copy()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let made = ["ca", "server", "client", "admin"].map { "made \(folder)/Certs/dev/\($0).pem" }
    // Good for one day only: the next run takes them for expired.
    #expect(try await run(in: folder, days: 1).map(String.init) == made)
    #expect(try await run(in: folder).map(String.init) == made)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/Certs/dev")
    let expected = [
      "admin.key", "admin.pem", "ca.key", "ca.pem", "client.key", "client.pem", "server.key",
      "server.pem",
    ]
    #expect(names.sorted() == expected)
    func contents() -> [Data?] {
      expected.map { FileManager.default.contents(atPath: folder + "/Certs/dev/" + $0) }
    }
    let before = contents()
    #expect(try await run(in: folder) == [])
    #expect(contents() == before)
    // One that is missing is made alone; its issuer stays.
    try FileManager.default.removeItem(atPath: folder + "/Certs/dev/server.pem")
    let place = try #require(expected.firstIndex(of: "ca.pem"))
    #expect(try await run(in: folder).map(String.init) == [made[1]])
    #expect(contents()[place] == before[place])
  }

  @Test("The server's is valid for localhost, 127.0.0.1 and ::1; keys are readable by one user")
  func names() async throws {
    let workspace = try await Workspace()
    let text = try await RunningProcess(
      "/usr/bin/openssl",
      ["x509", "-in", workspace.certificates + "/server.pem", "-noout", "-text"]
    ).ended().output
    #expect(text.contains("DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1"))
    #expect(text.contains("ASN1 OID: prime256v1"))
    for name in ["ca", "server", "client", "admin"] {
      let path = workspace.certificates + "/\(name).key"
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
      #expect(mode as? Int == 0o600)
    }
  }
}
