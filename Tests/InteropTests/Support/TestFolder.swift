import Foundation
import TestProcess

/// What keeps a test from doing its work.
struct InteropFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// Where the package's root is.
let packageRoot = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

/// A program of this package, which stands beside the tests' own.
func builtProgram(_ name: String) throws -> String {
  let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
  let folder = URL(fileURLWithPath: own).deletingLastPathComponent().path
  for base in [folder, packageRoot + "/.build/debug"] {
    let path = base + "/" + name
    if FileManager.default.isExecutableFile(atPath: path) { return path }
  }
  throw InteropFailure("\(name) isn't built; run swift build --build-tests")
}

/// Development certificates that all tests of this process share; they go when it ends.
enum TestCertificates {
  /// The folder, with `ca.pem`, `server.pem` and `server.key`.
  static let folder = Task {
    let folder = FileManager.default.temporaryDirectory.path + "/onside-interop-certs-\(getpid())"
    let made = try await runProgram("/bin/sh", [packageRoot + "/Scripts/certs.sh", folder])
    guard made.status == 0 else { throw InteropFailure("no certificates: \(made.errors)") }
    atexit {
      let folder =
        FileManager.default.temporaryDirectory.path + "/onside-interop-certs-\(getpid())"
      try? FileManager.default.removeItem(atPath: folder)
    }
    return folder
  }
}

/// What a program that has ended left behind.
struct ProgramEnd: Sendable {
  let status: Int32
  let output: String
  let errors: String
}

/// Runs a program to its end, on threads of its own: none of Swift's tasks waits for it.
func runProgram(_ path: String, _ arguments: [String]) async throws -> ProgramEnd {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread {
      continuation.resume(
        with: Result {
          let process = TestProcess()
          process.executableURL = URL(fileURLWithPath: path)
          process.arguments = arguments
          let (output, errors) = (Pipe(), Pipe())
          process.standardOutput = output
          process.standardError = errors
          try process.run()
          let printed = output.fileHandleForReading.readDataToEndOfFile()
          let said = errors.fileHandleForReading.readDataToEndOfFile()
          process.waitUntilExit()
          return ProgramEnd(
            status: process.terminationStatus, output: String(decoding: printed, as: UTF8.self),
            errors: String(decoding: said, as: UTF8.self))
        })
    }
  }
}
