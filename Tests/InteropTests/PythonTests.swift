import Foundation
import TestSupport
import Testing

@Suite("The interoperability list from Python", .timeLimit(.minutes(2)))
struct PythonTests {
  @Test("The client made from Docs/protocol.md goes through the list against the Swift server")
  func list() async throws {
    try await InteropServerProcess.run { server in
      let end = try await Program.run([
        "/usr/bin/python3", "-B",
        Folders.package.appending(path: "Tests/Interop/python/calls.py").path, "--target",
        server.address, "--ca", server.ca,
      ])
      #expect(end.status == 0, "\(end.everything)")
      let steps = end.text.split(separator: "\n").filter { $0.hasPrefix("ok ") }
      print(steps.map { "Python: \($0)" }.joined(separator: "\n"))
      #expect(steps.count >= 50, "\(end.everything)")
    }
  }
}
