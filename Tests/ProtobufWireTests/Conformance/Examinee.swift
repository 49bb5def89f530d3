import ConformanceMessages
import Dispatch
import Foundation
import ProtobufWire
import TestProcess
import TestSupport

/// A running `conformance-testee`, which is talked to as the official runner does it.
final class Examinee: Sendable {
  private let process = TestProcess()
  private let input: FileHandle
  private let output: FileHandle
  // Pipes block: they get a thread that no Swift task needs.
  private let queue = DispatchQueue(label: "conformance-testee")

  /// Starts the program from the build folder.
  init() throws {
    let toProgram = Pipe()
    let fromProgram = Pipe()
    process.executableURL = Folders.products.appending(path: "conformance-testee")
    process.standardInput = toProgram
    process.standardOutput = fromProgram
    input = toProgram.fileHandleForWriting
    output = fromProgram.fileHandleForReading
    try process.run()
  }

  /// Sends each request when the answer to the one before has come.
  func answers(to requests: [ConformanceRequest]) async throws -> [ConformanceResponse] {
    try await onQueue { try requests.map { try self.answer(to: $0) } }
  }

  /// The most memory that the program has used so far, in bytes.
  func peakMemory() async throws -> Int {
    let path = "/proc/\(process.processIdentifier)/status"
    let status = try await onQueue { try String(contentsOfFile: path, encoding: .utf8) }
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    return (Int(line.filter(\.isNumber)) ?? 0) * 1024
  }

  /// Sends bytes that are no request, without waiting for an answer.
  func send(_ bytes: [UInt8]) async throws {
    try await onQueue { try self.input.write(contentsOf: Data(bytes)) }
  }

  /// Ends the program's input.
  ///
  /// - Returns: Its exit code.
  func finish() async throws -> Int32 {
    try await onQueue {
      try self.input.close()
      self.process.waitUntilExit()
      return self.process.terminationStatus
    }
  }

  private func answer(to request: ConformanceRequest) throws -> ConformanceResponse {
    let bytes = request.serialized()
    try input.write(contentsOf: Data(littleEndian(bytes.count) + bytes))
    let header = try output.read(upToCount: 4) ?? Data()
    let length = header.reversed().reduce(0) { $0 << 8 | Int($1) }
    var answer: [UInt8] = []
    while answer.count < length {
      guard let part = try output.read(upToCount: length - answer.count) else { break }
      answer += part
    }
    return try ConformanceResponse(serialized: answer)
  }

  private func littleEndian(_ count: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt32(count).littleEndian) { [UInt8]($0) }
  }

  private func onQueue<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Swift.Result { try body() }) }
    }
  }
}
