import Foundation
import Testing

/// `onside shop` at a terminal, against a server under test.
struct ShopUnderTest: Sendable {
  let terminal: PseudoTerminal
  let workspace: Workspace

  /// - Parameters:
  ///   - target: the server's address; nil: local testing, with the flags for it among `arguments`.
  ///   - state: the name of the folder for its state.
  init(
    _ workspace: Workspace, target: String?, _ arguments: [String] = [], state: String = "state",
    columns: Int = 80, environment: [String: String] = [:]
  ) throws {
    self.workspace = workspace
    terminal = try PseudoTerminal(
      "onside", Self.arguments(workspace, target: target, state: state) + arguments,
      folder: workspace.folder, columns: columns, environment: environment)
  }

  /// The command line of a shop.
  static func arguments(
    _ workspace: Workspace, target: String?, state: String = "state"
  ) -> [String] {
    let server =
      target.map {
        [
          "--target", $0, "--ca", workspace.certificates + "/ca.pem", "--products",
          workspace.folder + "/shop.jsonl",
        ]
      } ?? []
    return ["shop", "--state", workspace.folder + "/" + state] + server
  }

  /// Chooses in the menu.
  func choose(_ letter: String) async throws {
    try await answer("Choice: ", letter)
  }

  /// Waits for a question, and answers it.
  func answer(_ question: String, _ line: String) async throws {
    try await terminal.expect(question)
    terminal.enter(line)
  }

  @discardableResult
  func expect(_ text: String) async throws -> String { try await terminal.expect(text) }

  func logInExternally(as identifier: String) async throws {
    try await choose("e")
    try await answer("Your identifier in the app", identifier)
    try await expect("Logged in as \(identifier) (external).")
  }

  /// Quits from the menu.
  func quit(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    try await choose("q")
    let status = try await terminal.ended()
    #expect(status == 0, sourceLocation: sourceLocation)
  }
}
