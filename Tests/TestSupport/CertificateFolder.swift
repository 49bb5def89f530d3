import Foundation
import Synchronization

/// A folder of development certificates, made with the project's script: `NAME.pem` and `NAME.key`
/// for `ca`, `server`, `client` and `admin`.
public struct CertificateFolder: Sendable {
  /// Where it is.
  public let path: String

  /// One for all tests of the process that don't change its files; it goes when the process ends.
  public static let shared = Task {
    let folder = FileManager.default.temporaryDirectory.path + "/onside-test-certs-\(getpid())"
    toRemove.withLock { $0 = folder }
    atexit {
      CertificateFolder.toRemove.withLock { try? FileManager.default.removeItem(atPath: $0) }
    }
    return try await CertificateFolder(in: folder)
  }

  private static let toRemove = Mutex("")

  /// Makes what is missing in a folder, by the CA that is in there or by a new one.
  public init(in path: String) async throws {
    let script = Folders.package.appending(path: "Scripts/certs.sh").path
    let end = try await Program.run(["sh", script, path])
    guard end.status == 0 else { throw Failure(description: "no certificates: \(end.everything)") }
    self.path = path
  }

  private struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// The path of a file in the folder.
  public func file(_ name: String) -> String { path + "/" + name }
}
