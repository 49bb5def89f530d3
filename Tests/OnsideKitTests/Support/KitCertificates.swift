import Dispatch
import Foundation
import RPC
import RPCTransport
import TestProcess

/// Certificates in a temporary folder, made once for all tests with the project's script.
struct KitCertificates: Sendable {
  let folder: String

  static let shared = Task { try await KitCertificates() }

  /// What an app connects with.
  let client: ClientTLS

  private init() async throws {
    folder = FileManager.default.temporaryDirectory.path + "/onside-kit-certs-\(getpid())"
    let made = try await Program.run(["sh", Package.root + "/Scripts/certs.sh", folder])
    guard made.status == 0 else { throw KitFailure("no certificates: \(made.output)") }
    var tls = ClientTLS.Configuration(applicationProtocols: [RPCProtocol.name])
    tls.trust = .file(folder + "/ca.pem")
    client = try ClientTLS(tls)
    Self.folderToRemove = folder
    atexit { try? FileManager.default.removeItem(atPath: KitCertificates.folderToRemove) }
  }

  /// Written once, before anything reads it at the process's end.
  nonisolated(unsafe) private static var folderToRemove = ""

  var server: ServerTLS.Configuration {
    var tls = ServerTLS.Configuration(
      certificateFile: folder + "/server.pem", keyFile: folder + "/server.key",
      applicationProtocols: [RPCProtocol.name])
    tls.clientCAFile = folder + "/ca.pem"
    tls.clientCertificates = .optional
    return tls
  }

  /// What an administrator of the sandbox connects with.
  func administrator() throws -> ClientTLS {
    var tls = ClientTLS.Configuration(applicationProtocols: [RPCProtocol.name])
    tls.trust = .file(folder + "/ca.pem")
    tls.certificateFile = folder + "/admin.pem"
    tls.keyFile = folder + "/admin.key"
    return try ClientTLS(tls)
  }
}

/// Where the package is.
enum Package {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path
}

/// Runs programs away from the threads of Swift's tasks.
enum Program {
  private static let queue = DispatchQueue(label: "kit-programs", attributes: .concurrent)

  /// Runs a program of the path; output and errors together.
  static func run(_ arguments: [String]) async throws -> (status: Int32, output: String) {
    try await withCheckedThrowingContinuation { continuation in
      queue.async {
        continuation.resume(
          with: Result {
            let process = TestProcess()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = arguments
            process.standardInput = FileHandle.nullDevice
            let pipe = Pipe()
            process.standardOutput = pipe
            process.standardError = pipe
            try process.run()
            let output = pipe.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return (process.terminationStatus, String(decoding: output, as: UTF8.self))
          })
      }
    }
  }
}

/// What keeps a test from doing its work.
struct KitFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
