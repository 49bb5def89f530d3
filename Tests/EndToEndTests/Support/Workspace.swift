import Foundation

/// A folder with what a server needs; it goes with the test that made it.
final class Workspace: Sendable {
  let folder: String

  /// The folder of the certificates.
  let certificates: String

  static let packageRoot = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  /// - Parameter certificates: Their folder; nil: the one that most tests share.
  init(certificates: String? = nil) async throws {
    if let certificates {
      self.certificates = certificates
    } else {
      self.certificates = try await Self.sharedCertificates.value
    }
    folder = FileManager.default.temporaryDirectory.path + "/onside-e2e-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try write(Self.catalogue, to: "shop.jsonl")
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  static let app = "com.example.shop"

  static let catalogue = """
    {"format":"onside-catalogue/1","app":"com.example.shop","storefronts":[{"country":"DE"}]}
    {"id":"coins","kind":"consumable","title":"Coins","prices":{"DE":"4.99"}}
    {"id":"no-ads","kind":"non-consumable","title":"No ads","prices":{"DE":"2.99"}}

    """

  var store: String { folder + "/store.sqlite" }

  /// Address, certificate, key, catalogue and store of a server on a free port.
  var serverArguments: [String] {
    [
      "--listen", "127.0.0.1:0", "--certificate", certificates + "/server.pem", "--key",
      certificates + "/server.key", "--catalogue", folder + "/shop.jsonl", "--store",
      "sqlite:\(store)",
    ]
  }

  /// Writes a file and gives its path.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    let path = folder + "/" + name
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder + "/" + name)
  }

  /// Certificates of an authority that no server of this workspace has: their folder.
  func makeOtherCertificates() async throws -> String {
    let folder = folder + "/other"
    try await Self.makeCertificates(in: folder)
    return folder
  }

  /// An authority and its certificates, by the project's script.
  static func makeCertificates(in folder: String) async throws {
    let script = try RunningProcess("/bin/sh", [packageRoot + "/Scripts/certs.sh", folder])
    let end = await script.ended()
    guard end.status == 0 else { throw EndToEndFailure("no certificates: \(end.errors)") }
  }

  /// Made once, and removed when the process ends.
  private static let sharedCertificates = Task {
    let folder = FileManager.default.temporaryDirectory.path + "/onside-e2e-certs-\(getpid())"
    try await makeCertificates(in: folder)
    atexit {
      let folder =
        FileManager.default.temporaryDirectory.path + "/onside-e2e-certs-\(getpid())"
      try? FileManager.default.removeItem(atPath: folder)
    }
    return folder
  }
}
