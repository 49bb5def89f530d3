import Foundation
import Testing

/// The public data beside the project, which isn't part of it.
enum SharedFiles {
  static let folder =
    ProcessInfo.processInfo.environment["ONSIDE_SHARED"].map { URL(filePath: $0) }
    ?? Package.root.deletingLastPathComponent().appending(path: "shared")

  /// A subfolder, or nil where there is none; then the reason is printed, and under CI the test
  /// fails.
  static func subfolder(_ name: String) -> URL? {
    let url = folder.appending(path: name)
    if FileManager.default.fileExists(atPath: url.path) { return url }
    let reason = "skipped: \(url.path) isn't there; ONSIDE_SHARED names another place"
    print(reason)
    if ProcessInfo.processInfo.environment["CI"] == "true" { Issue.record("\(reason)") }
    return nil
  }
}
