import Dispatch
import Foundation
import TestProcess

/// What a program that has ended left behind.
struct ProgramOutput: Sendable {
  var status: Int32
  var output: String
  var error: String
}

/// A program that failed.
struct ProgramFailed: Error, CustomStringConvertible {
  var text: String
  var description: String { text }
}

private let programs = DispatchQueue(label: "test-programs", attributes: .concurrent)

/// Runs a program on a queue of its own, so that no thread of Swift's tasks waits for it.
///
/// - Parameter interruptAfter: SIGINT is sent when this text has come on standard error.
func runProgram(
  _ path: String, _ arguments: [String], interruptAfter text: String? = nil
) async throws -> ProgramOutput {
  try await withCheckedThrowingContinuation { continuation in
    programs.async {
      continuation.resume(with: Result { try run(path, arguments, interruptAfter: text) })
    }
  }
}

private func run(
  _ path: String, _ arguments: [String], interruptAfter text: String?
) throws -> ProgramOutput {
  let process = TestProcess()
  process.executableURL = URL(fileURLWithPath: path)
  process.arguments = arguments
  let (output, error) = (Pipe(), Pipe())
  process.standardOutput = output
  process.standardError = error
  process.standardInput = FileHandle.nullDevice
  try process.run()
  var errors = Data()
  var waitsFor = text
  // What these programs print fits into a pipe, so that one can be read after the other.
  while case let piece = error.fileHandleForReading.availableData, !piece.isEmpty {
    errors += piece
    if let text = waitsFor, String(decoding: errors, as: UTF8.self).contains(text) {
      process.interrupt()
      waitsFor = nil
    }
  }
  let data = output.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return ProgramOutput(
    status: process.terminationStatus, output: String(decoding: data, as: UTF8.self),
    error: String(decoding: errors, as: UTF8.self))
}

/// Where the package's root is.
let packageRoot = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

/// A program of this package, which stands beside the tests' own.
func builtProgram(_ name: String) throws -> String {
  let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
  let folder = URL(fileURLWithPath: own).deletingLastPathComponent()
  for base in [folder, URL(fileURLWithPath: packageRoot + "/.build/debug")] {
    let path = base.appendingPathComponent(name).path
    if FileManager.default.isExecutableFile(atPath: path) { return path }
  }
  throw ProgramFailed(text: "\(name) isn't built; run swift build --build-tests")
}
