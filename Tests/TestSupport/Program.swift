import Foundation
import TestProcess

/// Runs programs to their end without blocking a thread that Swift's tasks need.
public enum Program {
  /// Runs a program with its input from memory. All ends are files, so that nobody waits for a
  /// pipe.
  ///
  /// - Parameters:
  ///   - arguments: A path, or a name that `PATH` leads to, and the program's arguments.
  ///   - environment: Goes before the variables of the test's own.
  public static func run(
    _ arguments: [String], environment: [String: String] = [:], input: [UInt8] = []
  ) async throws -> ProgramEnd {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = ["in", "out", "err"].map { folder.appending(path: $0) }
    try Data(input).write(to: files[0])
    for file in files[1...] { try Data().write(to: file) }
    let process = TestProcess()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
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
    return ProgramEnd(
      status: process.terminationStatus, output: [UInt8](try Data(contentsOf: files[1])),
      errors: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self))
  }
}

/// What a program that has ended left behind.
public struct ProgramEnd: Sendable {
  /// The exit code, or the number of the signal that ended it.
  public let status: Int32

  /// Standard output.
  public let output: [UInt8]

  /// Standard error.
  public let errors: String

  /// Standard output as text.
  public var text: String { String(decoding: output, as: UTF8.self) }

  /// Standard output, then standard error.
  public var everything: String { text + errors }
}
