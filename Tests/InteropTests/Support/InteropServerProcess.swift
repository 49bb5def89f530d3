import TestSupport
import Foundation
import InteropService
import RPC
import RPCClient
import RPCTransport
import TestProcess

/// `interop-server` as a process, and what it takes to call it.
final class InteropServerProcess: Sendable {
  /// What clients connect to: `127.0.0.1:PORT`.
  let address: String

  /// The CA of its certificate.
  let ca: String

  private let process: TestProcess

  /// The server ends when this is closed.
  private let input: Pipe

  private init(_ process: TestProcess, _ input: Pipe, address: String, ca: String) {
    self.process = process
    self.input = input
    self.address = address
    self.ca = ca
  }

  deinit { try? input.fileHandleForWriting.close() }

  /// Starts the server, runs `body`, and ends the server.
  static func run<Result>(
    _ body: (InteropServerProcess) async throws -> Result
  ) async throws -> Result {
    let server = try await start()
    let result: Result
    do {
      result = try await body(server)
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
    return result
  }

  /// Starts the server and runs `body` with a client of it.
  static func withClient<Result>(
    connections: Int = 1, _ body: (RPCClient) async throws -> Result
  ) async throws -> Result {
    try await run { server in try await server.withClient(connections: connections, body) }
  }

  /// Runs `body` with a client of the server.
  func withClient<Result>(
    connections: Int = 1, _ body: (RPCClient) async throws -> Result
  ) async throws -> Result {
    let group = try EventLoopGroup(loops: 1)
    var tls = ClientTLS.Configuration(applicationProtocols: [RPCProtocol.name])
    tls.trust = .file(ca)
    var configuration = ClientConfiguration()
    configuration.connections = connections
    configuration.defaultTimeout = .seconds(60)
    let client = RPCClient(
      to: try Endpoint(address), tls: try ClientTLS(tls), group: group,
      configuration: configuration)
    let result: Result
    do {
      result = try await body(client)
    } catch {
      await client.close()
      await group.shutdown()
      throw error
    }
    await client.close()
    await group.shutdown()
    return result
  }

  private static func start() async throws -> InteropServerProcess {
    let certificates = try await CertificateFolder.shared.value
    let process = TestProcess()
    process.executableURL = URL(fileURLWithPath: try builtProgram("interop-server"))
    process.arguments = [
      "--certificate", certificates.file("server.pem"), "--key", certificates.file("server.key"),
    ]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let line = await firstLine(output.fileHandleForReading)
    let prefix = "listening on "
    guard line.hasPrefix(prefix) else {
      throw InteropFailure("interop-server didn't start: \(line)")
    }
    return InteropServerProcess(
      process, input, address: String(line.dropFirst(prefix.count)),
      ca: certificates.file("ca.pem"))
  }

  /// What a program prints up to its first line's end, or its own.
  private static func firstLine(_ output: FileHandle) async -> String {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        var text = Data()
        while !text.contains(UInt8(ascii: "\n")) {
          let piece = output.availableData
          if piece.isEmpty { break }
          text += piece
        }
        let line = String(decoding: text, as: UTF8.self).split(separator: "\n").first
        continuation.resume(returning: line.map(String.init) ?? "")
      }
    }
  }

  private func stop() async {
    try? input.fileHandleForWriting.close()
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        self.process.waitUntilExit()
        continuation.resume()
      }
    }
  }
}
