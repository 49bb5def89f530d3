import RPC
import Testing

@testable import LoadGenerator
import LoadReporting

/// `onside-load` as a program: exit codes and what it writes.
@Suite struct ProgramTests {
  private func load(_ arguments: [String], interruptAfter text: String? = nil) async throws
    -> ProgramOutput
  {
    try await runProgram(try builtProgram("onside-load"), arguments, interruptAfter: text)
  }

  private func arguments(_ server: LoginServer, _ scenario: String, _ more: [String]) -> [String] {
    ["run", scenario, "--target", "127.0.0.1:\(server.port)"]
      + ["--ca", server.certificates.path("ca.pem"), "--connections", "4"] + more
  }

  @Test func goodRunEndsWithZeroAndAReport() async throws {
    try await withLoginServer { server, _ in
      let output = try await load(
        arguments(server, "session-create", ["--calls", "100", "--json", "-", "--quiet"]))
      #expect(output.status == 0)
      #expect(output.error == "")
      let report = try JSONValue(parsing: output.output)
      #expect(report["schema"]?.string == "onside-load/2")
      #expect(report["calls", "ok"]?.double == 100)
      #expect(report["calls", "failed"]?.double == 0)
      #expect(report["command_line"]?.elements?.dropFirst().first?.string == "run")
      #expect(report["load", "calls_limit"]?.double == 100)
    }
  }

  @Test func failedCallsEndWithOne() async throws {
    try await withLoginServer(refusing: RPCError(.unavailable, "busy")) { server, _ in
      let output = try await load(arguments(server, "session-create", ["--calls", "3"]))
      #expect(output.status == 1)
      #expect(output.output.contains("0 ok · 3 failed · 0/s"))
      let rows = output.output.split(separator: "\n").map { $0.split(separator: " ") }
      #expect(rows.contains(["latency", "none"]))
      #expect(output.output.contains("3 × answer UNAVAILABLE"))
    }
  }

  @Test(arguments: [
    ["run", "session-create"], ["run", "--target", "h:1"], ["run", "nothing", "--target", "h:1"],
    ["run", "session-create", "--target", "h:1", "--connections", "0"],
    ["run", "session-create", "--target", "h:1", "--duration", "nan"],
    ["run", "session-create", "--target", "h:1", "--duration", "-1"],
    ["run", "session-create", "--target", "h:1", "--bogus"],
    ["run", "session-create", "--target", "h:1", "--json"], ["nonsense"], [], ["table"],
    ["run", "session-create", "--target", "h:1", "--rate", "0"],
    ["run", "session-create", "--target", "h:1", "--rate", "-5"],
    ["run", "session-create", "--target", "h:1", "--rate", "nan"],
    ["run", "session-create", "--target", "h:1", "--rate", "5", "--steps", "1,2"],
    ["run", "session-create", "--target", "h:1", "--stage", "rate=0 for=1s"],
    ["run", "session-create", "--target", "h:1", "--think-time", "1s", "--rate", "5"],
    ["run", "session-create", "--target", "h:1", "--mix", "purchase=1"],
    ["run", "idle", "--target", "h:1", "--rate", "5"],
    ["find-capacity", "session-create", "--target", "h:1"],
    ["find-capacity", "session-create", "--target", "h:1", "--latency", "p99>1ms"],
  ])
  func wrongCommandLinesEndWithTwo(_ words: [String]) async throws {
    let output = try await load(words)
    #expect(output.status == 2)
    #expect(output.output == "")
    #expect(output.error.split(separator: "\n").count == 1)
  }

  @Test func helpAndVersionEndWithZero() async throws {
    let help = try await load(["run", "--help"])
    #expect(help.status == 0)
    for scenario in LoadScenario.allCases { #expect(help.output.contains(scenario.rawValue)) }
    let version = try await load(["--version"])
    #expect(version.output.hasPrefix("onside-load "))
  }

  @Test func whatKeepsARunFromBeginningHasItsOwnExitCodes() async throws {
    try await withLoginServer { server, _ in
      let target = "127.0.0.1:\(server.port)"
      let cases: [(Int32, [String])] = [
        (4, ["session-create", "--target", target, "--ca", server.certificates.path("none.pem")]),
        (
          4,
          ["session-create", "--target", target, "--ca", server.certificates.path("other/ca.pem")]
        ),
        (6, ["purchase", "--target", target, "--products", "/nonexistent/products.txt"]),
        (8, ["session-create", "--target", target, "--connections", "1000000"]),
      ]
      for (status, words) in cases {
        let output = try await load(["run", "--quiet"] + words)
        #expect(output.status == status, "\(words): \(output.error)")
        #expect(output.error.split(separator: "\n").count == 1)
      }
    }
  }

  @Test("LG-12 an interrupted run writes a partial report and loses no sample")
  func interruptedRunWritesAPartialReport() async throws {
    try await withLoginServer { server, _ in
      let output = try await load(
        arguments(server, "session-create", ["--duration", "3600", "--json", "-"]),
        interruptAfter: "/s  p50 ")
      #expect(output.status == 130)
      let report = try JSONValue(parsing: output.output)
      #expect(report["verdict"]?.string == "interrupted")
      #expect(report["ended_by"]?.string == "interrupted")
      let counts = ["ok", "ok_outside_window", "failed", "unanswered"]
        .compactMap { report["calls", $0]?.double }
      #expect(report["calls", "sent"]?.double == counts.reduce(0, +))
      #expect(counts.reduce(0, +) > 0)
      #expect(report["calls", "failed"]?.double == 0)
    }
  }

  @Test func tableReadsReports() async throws {
    try await withLoginServer { server, _ in
      let file = server.certificates.path("report.json")
      let run = try await load(
        arguments(server, "session-return", ["--calls", "50", "--json", file]))
      #expect(run.status == 0)
      let table = try await load(["table", file, file])
      #expect(table.status == 0)
      #expect(table.output.split(separator: "\n").count == 4)
      #expect(table.output.contains("session-return"))
      #expect(!table.output.contains("\u{1B}"))
      let wrong = try await load(["table", server.certificates.path("ca.pem")])
      #expect(wrong.status == 9)
    }
  }
}
