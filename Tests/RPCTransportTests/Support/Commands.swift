import Dispatch
import Foundation
import TestProcess

/// Runs other programs, on a queue of its own so that no thread of Swift's tasks waits for them.
enum Command {
  struct Outcome: Sendable {
    var status: Int32
    var output: String
  }

  private static let queue = DispatchQueue(label: "test-commands", attributes: .concurrent)

  /// Runs a program with `input` as its standard input, and returns its standard output and errors.
  static func run(
    _ arguments: [String], environment: [String: String] = [:], input: String = ""
  ) async throws -> Outcome {
    try await withCheckedThrowingContinuation { continuation in
      queue.async {
        continuation.resume(with: Result { try runNow(arguments, environment, input) })
      }
    }
  }

  private static func runNow(
    _ arguments: [String], _ environment: [String: String], _ input: String
  ) throws -> Outcome {
    let process = TestProcess()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let output = Pipe()
    let source = Pipe()
    process.standardOutput = output
    process.standardError = output
    process.standardInput = source
    try process.run()
    source.fileHandleForWriting.write(Data(input.utf8))
    try source.fileHandleForWriting.close()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Outcome(status: process.terminationStatus, output: String(decoding: data, as: UTF8.self))
  }
}

/// Where the package's root is.
let packageRoot = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

/// A folder that goes away with the object.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "onside-transport-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }
}

func write(_ text: String, to path: String) throws {
  try text.write(toFile: path, atomically: true, encoding: .utf8)
}

func copyFile(_ source: String, _ target: String) throws {
  try? FileManager.default.removeItem(atPath: target)
  try FileManager.default.copyItem(atPath: source, toPath: target)
}
