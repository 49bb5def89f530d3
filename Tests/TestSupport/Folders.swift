public import Foundation

/// Where the package and the public data beside it are.
public enum Folders {
  /// The package's root.
  public static let package = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// `ONSIDE_SHARED`, else `../shared`.
  public static let shared =
    ProcessInfo.processInfo.environment["ONSIDE_SHARED"].map { URL(filePath: $0) }
    ?? package.deletingLastPathComponent().appending(path: "shared")

  /// Where the build puts executables: beside the test program.
  public static let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
}

/// What a test needs from outside of the package. In CI it has to be there: the test then runs, and
/// fails; elsewhere it is skipped, with a reason.
public func isAvailable(_ path: String, for tests: String) -> Bool {
  if FileManager.default.fileExists(atPath: path) { return true }
  if ProcessInfo.processInfo.environment["CI"] == "true" { return true }
  print("skipped: \(tests) need \(path), which is absent")
  return false
}
