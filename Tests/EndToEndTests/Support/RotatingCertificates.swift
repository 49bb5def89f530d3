import Foundation
import Glibc

/// A folder of certificates of which the server's is replaced now and then: two sets from one CA,
/// and a link to one of them, which is swapped as Kubernetes does.
final class RotatingCertificates: Sendable {
  private let root: String

  /// The link; what it leads to changes.
  var folder: String { root + "/live" }

  init() async throws {
    root = FileManager.default.temporaryDirectory.path + "/onside-rotating-\(UUID().uuidString)"
    let files = FileManager.default
    try files.createDirectory(atPath: root, withIntermediateDirectories: true)
    try await Workspace.makeCertificates(in: root + "/0")
    try files.copyItem(atPath: root + "/0", toPath: root + "/1")
    // What is missing is made anew, by the same CA.
    for name in ["server.pem", "server.key"] { try files.removeItem(atPath: root + "/1/" + name) }
    try await Workspace.makeCertificates(in: root + "/1")
    try files.createSymbolicLink(atPath: folder, withDestinationPath: "0")
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  /// Puts the set with that number, 0 or 1, in the other one's place.
  func use(_ number: Int) throws {
    let next = root + "/next"
    try FileManager.default.createSymbolicLink(atPath: next, withDestinationPath: "\(number)")
    guard rename(next, folder) == 0 else { throw EndToEndFailure("\(folder) can't be replaced") }
  }

  /// Writes one file of that set over the one in use.
  func overwrite(_ name: String, with number: Int) throws {
    let bytes = try Data(contentsOf: URL(filePath: root + "/\(number)/" + name))
    try bytes.write(to: URL(filePath: folder + "/" + name))
  }
}
