import Foundation
import LoadReporting
import Testing

@testable import LoadGenerator

/// Targets and limits on the command line of `onside-load`.
@Suite struct TargetProgramTests {
  /// It has to be asked for, and is said wherever the run's result is seen.
  @Test func insecureIsMarked() async throws {
    let server = try await LoginServer(certificate: "other/server")
    let words = [
      "run", "session-create", "--target", "127.0.0.1:\(server.port)", "--calls", "5",
      "--connections", "1", "--ca", server.certificates.path("ca.pem"), "--json", "-",
    ]
    let program = try builtProgram("onside-load")
    let refused = try await runProgram(program, words)
    #expect(refused.status == 4)
    #expect(refused.output == "" && !refused.error.contains("INSECURE"))
    #expect(server.sessions == 0)
    for quiet in [[], ["--quiet"]] {
      let taken = try await runProgram(program, words + ["--insecure"] + quiet)
      #expect(taken.status == 0, "\(taken.error)")
      #expect(taken.error.contains("INSECURE: "))
      let report = try LoadReport(json: JSONValue(parsing: taken.output))
      #expect(report.remarks.contains(LoadReport.insecureRemark))
      #expect(report.text(.plain).contains("INSECURE: ") && report.page.contains("INSECURE: "))
    }
    #expect(server.sessions > 0)
    await server.stop()
  }

  @Test func severalTargetsAreInTheReport() async throws {
    try await withLoginServer { first, _ in
      let second = try await LoginServer(sharing: first)
      let output = try await runProgram(
        try builtProgram("onside-load"),
        [
          "run", "session-create", "--target", "127.0.0.1:\(first.port),127.0.0.1:\(second.port)",
          "--calls", "40", "--connections", "4", "--ca", first.certificates.path("ca.pem"),
          "--json", "-", "--quiet",
        ])
      #expect(output.status == 0, "\(output.error)")
      let report = try JSONValue(parsing: output.output)
      #expect(
        report["load", "targets"]?.elements?.compactMap(\.string) == [
          "127.0.0.1:\(first.port)", "127.0.0.1:\(second.port)",
        ])
      #expect(first.accepted == 2)
      #expect(second.accepted == 2)
      await second.stop()
    }
  }

  @Test("LG-09 200 clients with 64 descriptors: a message before the load, and no spin")
  func tooFewDescriptors() async throws {
    try await withLoginServer { server, _ in
      let words = [
        "run", "session-create", "--target", "127.0.0.1:\(server.port)", "--connections", "200",
        "--ca", server.certificates.path("ca.pem"), "--quiet",
      ]
      let script = "ulimit -n 64; exec \"$0\" \"$@\""
      let output = try await runProgram(
        "/bin/sh", ["-c", script, try builtProgram("onside-load")] + words)
      #expect(output.status == 8)
      #expect(output.output == "")
      #expect(output.error.split(separator: "\n").count == 1)
      for part in ["200 connections", "the limit is 64", "ulimit -n"] {
        #expect(output.error.contains(part), "\(output.error)")
      }
      #expect(server.accepted == 0)
    }
  }
}
