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
    try await self.init(
      in: FileManager.default.temporaryDirectory.path + "/onside-services-certs-\(getpid())")
    Self.removeAtExit(folder)
  }

  /// Makes a set of its own, with a CA of its own.
  init(in folder: String) async throws {
    self.folder = folder
    try await Self.run(["sh", Self.packageRoot + "/Scripts/certs.sh", folder])
  }

  var server: ServerTLS.Configuration {
    ServerTLS.Configuration(
      certificateFile: folder + "/server.pem", keyFile: folder + "/server.key",
      applicationProtocols: [RPCProtocol.name])
  }

  func client(withCertificate: Bool = false) throws -> ClientTLS {
    try client(withCertificate ? "client" : nil)
  }

  /// - Parameter certificate: The name of the client's certificate; nil: it comes without.
  func client(_ certificate: String?) throws -> ClientTLS {
    var configuration = ClientTLS.Configuration(applicationProtocols: [RPCProtocol.name])
    configuration.trust = .file(folder + "/ca.pem")
    if let certificate {
      configuration.certificateFile = "\(folder)/\(certificate).pem"
      configuration.keyFile = "\(folder)/\(certificate).key"
    }
    return try ClientTLS(configuration)
  }

  /// SHA-256 over the client's certificate, as the `openssl` command prints it: hexadecimal digits
  /// with colons.
  func clientFingerprint() async throws -> String {
    let output = try await Self.run(
      ["openssl", "x509", "-in", folder + "/client.pem", "-noout", "-fingerprint", "-sha256"])
    guard let print = output.split(separator: "=").last else { throw TestFailure(output) }
    return print.filter { $0.isHexDigit || $0 == ":" }
  }

  private static let packageRoot = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  private static let queue = DispatchQueue(label: "test-certificates")

  /// Runs a program on a queue of its own, so that no thread of Swift's tasks waits for it.
  @discardableResult
  private static func run(_ arguments: [String]) async throws -> String {
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
            try process.run()
            let output = pipe.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else {
              throw TestFailure("\(arguments.joined(separator: " ")) failed")
            }
            return String(decoding: output, as: UTF8.self)
          })
      }
    }
  }

  nonisolated(unsafe) private static var folderToRemove = ""

  /// Called once, before anything reads it at the process's end.
  private static func removeAtExit(_ folder: String) {
    folderToRemove = folder
    atexit { try? FileManager.default.removeItem(atPath: TestCertificates.folderToRemove) }
  }
}
