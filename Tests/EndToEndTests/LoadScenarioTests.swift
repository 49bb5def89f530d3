import Foundation
import Testing

@Suite("The scenarios of onside-load against a real server", .timeLimit(.minutes(4)))
struct LoadScenarioTests {
  /// Runs a scenario with the administrator's certificate, and gives the report.
  private func report(
    _ workspace: Workspace, _ server: ServerUnderTest, _ arguments: [String]
  ) async throws -> [String: Any] {
    let certificates = workspace.certificates
    let end = try await RunningProcess(
      "onside-load",
      ["run"] + arguments + [
        "--target", server.address, "--ca", certificates + "/ca.pem", "--connections", "2",
        "--quiet", "--json", "-", "--products", workspace.folder + "/shop.jsonl",
        "--admin-certificate", certificates + "/admin.pem", "--admin-key",
        certificates + "/admin.key",
      ], folder: workspace.folder
    ).ended()
    let report = try JSONSerialization.jsonObject(with: Data(end.output.utf8)) as? [String: Any]
    #expect(end.status == 0, "\(end.errors) \(end.output.prefix(4_000))")
    return try #require(report)
  }

  private func checks(_ report: [String: Any]) throws -> [String: Int] {
    let checks = try #require(report["checks"] as? [[String: Any]])
    var counts: [String: Int] = [:]
    for check in checks {
      #expect(check["violations"] as? Int == 0, "\(check)")
      if let name = check["name"] as? String { counts[name] = check["checked"] as? Int }
    }
    return counts
  }

  private func steps(_ report: [String: Any]) throws -> [String: Int] {
    let steps = try #require(report["steps"] as? [[String: Any]])
    return Dictionary(
      uniqueKeysWithValues: steps.map { ($0["name"] as? String ?? "", $0["ok"] as? Int ?? 0) })
  }

  @Test("LG-07 the server's counters are those of the load, and sessions are there afterwards")
  func sessions() async throws {
    let workspace = try await Workspace()
    let sandbox = try await SandboxUnderTest(workspace)
    for scenario in ["session-create", "session-return"] {
      let report = try await report(
        workspace, sandbox.server,
        [scenario, "--calls", "3000", "--users", "50", "--zipf", "1.1", "--in-flight", "4"])
      let checks = try checks(report)
      #expect(checks["server_counters_equal"] == 3_000)
      #expect(checks["session_tokens_unique"] == 3_000)
      #expect(checks["sessions_visible"] ?? 0 >= 2)
      let facts = try #require(report["server_facts"] as? [String: Any])
      #expect((facts["build"] as? String)?.hasPrefix("onside-server ") == true)
      #expect((facts["durability"] as? String)?.contains("synchronous FULL") == true)
      let server = try #require(report["server"] as? [String: Any])
      #expect(server["cpu_seconds"] as? Double ?? 0 > 0)
      let syncs = try #require(server["syncs"] as? Int)
      // New users are written, in commits of several; known ones are in memory.
      if scenario == "session-create" { #expect(syncs > 0 && syncs <= 3_000) }
    }
    try await sandbox.server.stop()
  }

  @Test("LG-08 keys of purchases are unique for each call, and the same inside of one")
  func purchases() async throws {
    let workspace = try await Workspace()
    let sandbox = try await SandboxUnderTest(workspace)
    let report = try await report(
      workspace, sandbox.server,
      ["purchase", "--calls", "60", "--users", "5", "--in-flight", "3", "--repeat-share", "1"])
    let checks = try checks(report)
    // Were a key used twice, two of the 60 would be one; were it another for the same purchase,
    // the repetitions would be purchases of their own.
    #expect(checks["transactions_unique"] == 60)
    #expect(checks["purchases_repeatable"] == 60)
    #expect(checks["purchases_listed_once"] == 5)
    #expect(checks["server_counters_equal"] ?? 0 >= 60 * 6)
    try await sandbox.server.stop()
  }

  @Test("A journey goes from log-in to log-out, with pauses between its steps")
  func journey() async throws {
    let workspace = try await Workspace()
    let sandbox = try await SandboxUnderTest(workspace)
    let report = try await report(
      workspace, sandbox.server,
      ["journey", "--calls", "12", "--users", "4", "--in-flight", "2", "--step-pause", "0.02"])
    #expect(
      try steps(report)
        == ["log in": 12, "list products": 12, "buy": 12, "finish": 12, "log out": 12])
    #expect(try checks(report)["transactions_unique"] == 12)
    // Four pauses of 10 ms at least.
    let latency = try #require(report["latency_us"] as? [String: Any])
    #expect(latency["min"] as? Double ?? 0 >= 40_000)
    try await sandbox.server.stop()
  }

  @Test("A storm makes a burst of connections, each with a session", arguments: ["on", "off"])
  func storm(_ resume: String) async throws {
    let workspace = try await Workspace()
    let sandbox = try await SandboxUnderTest(workspace)
    let report = try await report(
      workspace, sandbox.server,
      ["storm", "--calls", "4", "--burst", "20", "--users", "10", "--resume", resume])
    let checks = try checks(report)
    #expect(checks["session_tokens_unique"] == 80)
    #expect(checks["server_counters_equal"] == 80)
    #expect(try steps(report)["connection with session"] == 80)
    let connections = try #require(report["connections"] as? [String: Any])
    // One more made the users known.
    #expect(connections["opened"] as? Int == 81)
    let resumed = connections["tls_resumed"] as? Int ?? 0
    #expect(resume == "off" ? resumed == 0 : resumed > 0)
    try await sandbox.server.stop()
  }

  @Test("Watchers get each purchase of their own once")
  func watch() async throws {
    let workspace = try await Workspace()
    let sandbox = try await SandboxUnderTest(workspace)
    let report = try await report(
      workspace, sandbox.server,
      ["watch", "--calls", "40", "--watchers", "5", "--in-flight", "2"])
    #expect(try steps(report) == ["buy": 40, "event after the answer": 40])
    let checks = try checks(report)
    #expect(checks["watch_events_once"] ?? 0 >= 40)
    #expect(checks["transactions_unique"] == 40)
    try await sandbox.server.stop()
  }

  @Test("Products are split as asked for")
  func products() async throws {
    let workspace = try await Workspace()
    let sandbox = try await SandboxUnderTest(workspace)
    let report = try await report(
      workspace, sandbox.server,
      ["product-filter", "--calls", "50", "--identifiers", "4", "--unsupported-share", "0.25"])
    let checks = try checks(report)
    #expect(checks["products_partitioned"] == 50)
    #expect(checks["server_counters_equal"] == 50)
    try await sandbox.server.stop()
  }
}
