import Foundation
import TestProcess

/// Where the package and the public data beside it are.
enum Folders {
  /// The package's root.
  static let package = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// `ONSIDE_SHARED`, else `../shared`.
  static let shared =
    ProcessInfo.processInfo.environment["ONSIDE_SHARED"].map { URL(filePath: $0) }
    ?? package.deletingLastPathComponent().appending(path: "shared")
}

/// What a test needs from outside of the package. In CI it has to be there: the test then runs, and
/// fails; elsewhere it is skipped, with a reason.
func isAvailable(_ path: String, for tests: String) -> Bool {
  if FileManager.default.fileExists(atPath: path) { return true }
  if ProcessInfo.processInfo.environment["CI"] == "true" { return true }
  print("skipped: \(tests) need \(path), which is absent")
  return false
}

/// Runs programs to their end without blocking a thread that Swift tasks need.
enum Subprocess {
  struct Output {
    let exitCode: Int32
    let standardOutput: [UInt8]
    let errors: String

    /// Standard output as text.
    var text: String { String(decoding: standardOutput, as: UTF8.self) }
  }

  /// Runs a program with its input from memory. All ends are files, so that nobody waits for a
  /// pipe.
  static func run(
    _ path: String, _ arguments: [String], input: [UInt8] = []
  ) async throws -> Output {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = ["in", "out", "err"].map { folder.appending(path: $0) }
    try Data(input).write(to: files[0])
    for file in files[1...] { try Data().write(to: file) }
    let process = TestProcess()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.standardInput = try FileHandle(forReadingFrom: files[0])
    process.standardOutput = try FileHandle(forWritingTo: files[1])
    process.standardError = try FileHandle(forWritingTo: files[2])
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in done.resume() }
      do {
        try process.run()
      } catch {
        done.resume(throwing: error)
      }
    }
    return Output(
      exitCode: process.terminationStatus,
      standardOutput: [UInt8](try Data(contentsOf: files[1])),
      errors: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self))
  }
}
