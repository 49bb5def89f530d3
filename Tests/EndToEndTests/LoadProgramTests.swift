import Foundation
import Testing

@Suite("onside-load against a real server", .timeLimit(.minutes(2)))
struct LoadProgramTests {
  private func load(
    _ workspace: Workspace, _ target: String, _ arguments: [String],
    ca: String? = nil
  ) async throws -> ProcessEnd {
    try await RunningProcess(
      "onside-load",
      ["run"] + arguments + [
        "--target", target, "--ca", ca ?? workspace.certificates + "/ca.pem", "--connections", "2",
        "--quiet",
      ], folder: workspace.folder
    ).ended()
  }

  @Test(
    "Every scenario succeeds, and says so in its report",
    arguments: ["session-create", "session-return", "product-filter", "purchase", "handshake"])
  func scenarios(_ scenario: String) async throws {
    let workspace = try await Workspace()
    let server = try await ServerUnderTest(workspace)
    let products = scenario == "product-filter" || scenario == "purchase"
    let end = try await load(
      workspace, server.address,
      [scenario, "--calls", "20", "--users", "5", "--json", "-"]
        + (products ? ["--products", workspace.folder + "/shop.jsonl"] : []))
    #expect(end.status == 0, "\(end.errors)")
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(end.output.utf8)) as? [String: Any])
    #expect(report["scenario"] as? String == scenario)
    let calls = try #require(report["calls"] as? [String: Any])
    #expect(calls["failed"] as? Int == 0)
    #expect(calls["ok"] as? Int ?? 0 >= 20)
    try await server.stop()
  }

  @Test("What keeps a load from beginning is one line, with the code that the help gives")
  func failures() async throws {
    let workspace = try await Workspace()
    let server = try await ServerUnderTest(workspace)
    let other = try await workspace.makeOtherCertificates()
    let calls = ["session-create", "--calls", "1"]
    let cases: [(status: Int32, arguments: [String], words: [String])] = [
      (2, calls + ["--bogus"], ["--bogus"]),
      (
        3, ["session-return", "--calls", "1", "--app", "com.example.nobody"],
        ["com.example.nobody"]
      ),
      (4, calls + ["--certificate", workspace.certificates + "/client.pem"], ["key", "both"]),
      (
        4,
        calls + [
          "--certificate", workspace.certificates + "/client.pem", "--key", other + "/client.key",
        ], ["client.key"]
      ),
      (6, ["purchase", "--calls", "1", "--products", "/none.jsonl"], ["/none.jsonl"]),
      (9, calls + ["--app-key-file", "/none.key"], ["--app-key-file", "/none.key"]),
    ]
    for (status, arguments, words) in cases {
      expectFailure(
        try await load(workspace, server.address, arguments), of: "onside-load", status, words)
    }
    let untrusted = try await load(workspace, server.address, calls, ca: other + "/ca.pem")
    expectFailure(untrusted, of: "onside-load", 4, ["certificate"])
    try await server.stop()
    expectFailure(
      try await load(workspace, server.address, calls), of: "onside-load", 3, [server.address])
    expectFailure(
      try await load(workspace, "nowhere", calls), of: "onside-load", 2, ["--target", "nowhere"])
  }

  @Test("A report that can't be written ends with 9")
  func unwritableReport() async throws {
    let workspace = try await Workspace()
    let server = try await ServerUnderTest(workspace)
    let end = try await load(
      workspace, server.address, ["session-create", "--calls", "5", "--json", "/none/r.json"])
    #expect(end.status == 9)
    #expect(end.errors.contains("/none/r.json"), "\(end.errors)")
    try await server.stop()
  }
}
