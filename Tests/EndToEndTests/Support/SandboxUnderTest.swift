import Foundation
import Testing

/// A server with an administrator, and the program for the administrator and for anybody.
struct SandboxUnderTest: Sendable {
  static let administrator = "CN=development administrator,O=Onside development"

  let server: ServerUnderTest
  let onside: OnsideProgram

  /// - Parameter administrators: The certificates of `--admin-certificate`.
  init(_ workspace: Workspace, administrators: [String] = [administrator]) async throws {
    server = try await ServerUnderTest(
      workspace,
      [
        "--client-ca", workspace.certificates + "/ca.pem", "--client-certificates", "optional",
      ] + administrators.flatMap { ["--admin-certificate", $0] })
    onside = OnsideProgram(workspace, target: server.address)
  }

  /// Runs `onside sandbox …` as the administrator.
  func run(_ arguments: [String]) async throws -> ProcessEnd {
    try await onside.sandbox(arguments)
  }

  /// What `onside sandbox …` prints to the administrator when it has to succeed.
  func output(
    _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> String {
    let end = try await run(arguments)
    #expect(end.status == 0, "\(arguments): \(end.errors)", sourceLocation: sourceLocation)
    return end.output
  }

  /// The cells of a table that it prints, row by row.
  func table(
    _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> [[String]] {
    let end = try await run(arguments)
    #expect(end.status == 0, "\(arguments): \(end.errors)", sourceLocation: sourceLocation)
    return end.output.split(separator: "\n").map { line in
      line.split(separator: "  ").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  /// Calls a method with a request in JSON, and gives what it answered.
  func call(_ method: String, _ request: String) async throws -> String {
    try await onside.output("call", "onside.v1." + method, "--built-in", "-d", request)
  }
}

extension OnsideProgram {
  /// Runs `onside sandbox …` with the administrator's certificate.
  func sandbox(_ arguments: [String]) async throws -> ProcessEnd {
    try await run(
      ["sandbox"] + arguments + [
        "--certificate", workspace.certificates + "/admin.pem", "--key",
        workspace.certificates + "/admin.key",
      ])
  }
}
