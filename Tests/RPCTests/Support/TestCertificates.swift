import Dispatch
import Foundation
import RPC
import RPCTransport
import TestProcess

/// Certificates in a temporary folder, made once for all tests with the project's script.
struct TestCertificates: Sendable {
  let folder: String

  static let shared = Task { try await TestCertificates() }

  private init() async throws {
    folder = FileManager.default.temporaryDirectory.path + "/onside-rpc-tests-\(getpid())"
    let folder = folder
    let output = try await runCommand(["sh", packageRoot + "/Scripts/certs.sh", folder])
    guard output.status == 0 else { throw CommandFailed(text: output.text) }
    atexit_b_remove(folder)
  }

  func serverTLS(clientCA: Bool = false) throws -> ServerTLS {
    var configuration = ServerTLS.Configuration(
      certificateFile: folder + "/server.pem", keyFile: folder + "/server.key",
      applicationProtocols: [RPCProtocol.name])
    if clientCA {
      configuration.clientCAFile = folder + "/ca.pem"
      configuration.clientCertificates = .optional
    }
    return try ServerTLS(configuration)
  }

  func clientTLS(withCertificate: Bool = false) throws -> ClientTLS {
    var configuration = ClientTLS.Configuration(applicationProtocols: [RPCProtocol.name])
    configuration.trust = .file(folder + "/ca.pem")
    if withCertificate {
      configuration.certificateFile = folder + "/client.pem"
      configuration.keyFile = folder + "/client.key"
    }
    return try ClientTLS(configuration)
  }
}

/// Removes a folder of temporary files when the process exits.
private func atexit_b_remove(_ folder: String) {
  FolderToRemove.path.withLock { $0 = folder }
  atexit { FolderToRemove.path.withLock { try? FileManager.default.removeItem(atPath: $0) } }
}

private enum FolderToRemove {
  static let path = Locked("")
}

/// A value behind a lock.
final class Locked<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }

  var current: Value { withLock { $0 } }
}

/// A program that failed.
struct CommandFailed: Error, CustomStringConvertible {
  var text: String
  var description: String { text }
}

private let commandQueue = DispatchQueue(label: "test-commands", attributes: .concurrent)

/// Runs a program on a queue of its own, so that no thread of Swift's tasks waits for it.
func runCommand(
  _ arguments: [String], environment: [String: String] = [:]
) async throws -> (status: Int32, text: String) {
  try await withCheckedThrowingContinuation { continuation in
    commandQueue.async {
      continuation.resume(
        with: Result {
          let process = TestProcess()
          process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
          process.arguments = arguments
          process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
          let pipe = Pipe()
          process.standardOutput = pipe
          process.standardError = pipe
          process.standardInput = FileHandle.nullDevice
          try process.run()
          let data = pipe.fileHandleForReading.readDataToEndOfFile()
          process.waitUntilExit()
          return (process.terminationStatus, String(decoding: data, as: UTF8.self))
        })
    }
  }
}

/// Where the package's root is.
let packageRoot = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
