import Foundation
import Testing

/// The command line client, against a server under test, with a session file of its own.
struct OnsideProgram: Sendable {
  let workspace: Workspace
  var target: String
  var ca: String

  /// In a folder that the program has to make.
  var sessionFile: String

  init(_ workspace: Workspace, target: String) {
    self.workspace = workspace
    self.target = target
    ca = workspace.certificates + "/ca.pem"
    sessionFile = workspace.folder + "/state/onside/session.json"
  }

  /// Runs a command to its end.
  func run(_ arguments: [String]) async throws -> ProcessEnd {
    try await RunningProcess(
      "onside",
      arguments + ["--target", target, "--ca", ca, "--session-file", sessionFile],
      folder: workspace.folder
    ).ended()
  }

  /// Runs a command that has to succeed, and gives what it printed.
  func output(
    _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> String {
    let end = try await run(arguments)
    #expect(end.status == 0, "\(arguments): \(end.errors)", sourceLocation: sourceLocation)
    #expect(end.errors == "", sourceLocation: sourceLocation)
    return end.output
  }

  /// Runs a command with `--json`, which has to succeed, and reads what it printed.
  func json<Value>(
    _ type: Value.Type, _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Value {
    let end = try await run(arguments + ["--json"])
    #expect(end.status == 0, "\(arguments): \(end.errors)", sourceLocation: sourceLocation)
    let value = try JSONSerialization.jsonObject(with: Data(end.output.utf8))
    return try #require(value as? Value, sourceLocation: sourceLocation)
  }

  /// The identifier of the transaction that a command's readable output names.
  static func transaction(_ output: String) throws -> String {
    let line = output.split(separator: "\n").first { $0.hasPrefix("transaction ") }
    return String(try #require(line).dropFirst("transaction ".count))
  }
}

/// Checks that a program ended with this code and one line on standard error that has these words,
/// and printed nothing.
func expectFailure(
  _ end: ProcessEnd, of program: String, _ status: Int32, _ words: [String],
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(end.status == status, "\(end.errors)", sourceLocation: sourceLocation)
  #expect(end.output == "", sourceLocation: sourceLocation)
  #expect(
    end.errors.hasPrefix("\(program): ") || end.errors.hasPrefix("\(program) "),
    "\(end.errors)", sourceLocation: sourceLocation)
  #expect(
    end.errors.hasSuffix("\n") && end.errors.split(separator: "\n").count == 1,
    "\(end.errors)", sourceLocation: sourceLocation)
  for word in words {
    #expect(end.errors.contains(word), "\(word): \(end.errors)", sourceLocation: sourceLocation)
  }
}
