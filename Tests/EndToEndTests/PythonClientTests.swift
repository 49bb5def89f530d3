import Foundation
import Testing

@Suite("The client in Python, made from Docs/protocol.md", .timeLimit(.minutes(2)))
struct PythonClientTests {
  @Test("It calls all three services; each of its steps is as it should be")
  func services() async throws {
    let workspace = try await Workspace()
    let server = try await ServerUnderTest(workspace)
    let end = try await PythonProgram.run(
      "services.py",
      [
        "--target", server.address, "--ca", workspace.certificates + "/ca.pem",
        "--product", "coins", "--product", "no-ads",
      ])
    #expect(end.status == 0, "\(end.output)\(end.errors)")
    let steps = PythonProgram.steps(end)
    print(steps.map { "Python: \($0)" }.joined(separator: "\n"))
    #expect(steps.count >= 24, "\(end.output)\(end.errors)")
    try await server.stop()
  }

  @Test("A step that goes wrong is named, and ends it with 1; wrong usage with 2")
  func failures() async throws {
    let workspace = try await Workspace()
    let server = try await ServerUnderTest(workspace)
    let connection = ["--target", server.address, "--ca", workspace.certificates + "/ca.pem"]
    let wrong = try await PythonProgram.run(
      "services.py", connection + ["--app", "com.example.no"])
    #expect(wrong.status == 1)
    #expect(wrong.errors.contains("APP_NOT_REGISTERED") || wrong.errors.contains("NOT_FOUND"))
    #expect(try await PythonProgram.run("services.py", []).status == 2)
    try await server.stop()
  }
}

/// The programs in Tests/Interop/python, run by Debian's Python, which has Debian's protobuf.
enum PythonProgram {
  /// Runs one to its end. It leaves no compiled code in the source tree.
  static func run(_ name: String, _ arguments: [String]) async throws -> ProcessEnd {
    let program = Workspace.packageRoot + "/Tests/Interop/python/" + name
    return try await RunningProcess("/usr/bin/python3", ["-B", program] + arguments).ended()
  }

  /// The lines of the steps that went right.
  static func steps(_ end: ProcessEnd) -> [Substring] {
    end.output.split(separator: "\n").filter { $0.hasPrefix("ok ") }
  }
}
