import Foundation
import LoadReporting
import Testing

@testable import LoadGenerator

/// The files that `onside-load` writes, and the commands that read them again.
@Suite struct ReportProgramTests {
  private func load(_ arguments: [String]) async throws -> ProgramOutput {
    try await runProgram(try builtProgram("onside-load"), arguments)
  }

  private func withFolder(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("reports-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder.path)
  }

  private func run(_ server: LoginServer, _ more: [String]) async throws -> ProgramOutput {
    try await load(
      ["run", "session-create", "--target", "127.0.0.1:\(server.port)"]
        + ["--ca", server.certificates.path("ca.pem"), "--connections", "4", "--calls", "200"]
        + more)
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  @Test("LG-20 report makes the page, and all other files, anew byte for byte")
  func reportRemakesAllFiles() async throws {
    try await withFolder { folder in
      try await withLoginServer { server, _ in
        let names = ["html", "csv", "hdr", "junit"]
        let files = names.flatMap { ["--\($0)", "\(folder)/run.\($0)"] }
        let more = ["--prometheus-file", "\(folder)/state.prom", "--duration", "1.5"]
        let output = try await run(server, ["--json", "\(folder)/run.json"] + files)
        #expect(output.status == 0)
        let again = names.flatMap { ["--\($0)", "\(folder)/again.\($0)"] }
        let report = try await load(["report", "\(folder)/run.json"] + again)
        #expect(report.status == 0)
        #expect(report.output == output.output)
        for name in names {
          #expect(try text("\(folder)/run.\(name)") == text("\(folder)/again.\(name)"))
        }
        let timed = try await load(
          ["run", "session-create", "--target", "127.0.0.1:\(server.port)", "--ca"]
            + [server.certificates.path("ca.pem"), "--warmup", "0"] + more)
        #expect(timed.status == 0)
        #expect(try text("\(folder)/state.prom").contains("onside_load_calls_total{"))
      }
    }
  }

  @Test("LG-21 compare of a run with itself says: no difference")
  func compareWithItself() async throws {
    try await withFolder { folder in
      try await withLoginServer { server, _ in
        _ = try await run(server, ["--json", "\(folder)/a.json"])
        let output = try await load(
          ["compare", "\(folder)/a.json", "\(folder)/a.json", "--fail-on-regression"]
            + ["--html", "\(folder)/c.html", "--json", "\(folder)/c.json"])
        #expect(output.status == 0)
        #expect(output.output.hasSuffix("\nno difference\n"))
        #expect(try text("\(folder)/c.html").contains("= no difference"))
        let json = try JSONValue(parsing: text("\(folder)/c.json"))
        #expect(json["verdict"]?.string == "no-difference")
      }
    }
  }

  @Test func regressionsEndWithNinetyNineIfThatIsWanted() async throws {
    try await withFolder { folder in
      try await withLoginServer { server, _ in
        _ = try await run(server, ["--json", "\(folder)/a.json"])
        var worse = try LoadReport(json: JSONValue(parsing: text("\(folder)/a.json")))
        worse.calls.failed = 5
        worse.calls.sent += 5
        try worse.json.indented().write(
          toFile: "\(folder)/b.json", atomically: true, encoding: .utf8)
        let pair = ["\(folder)/a.json", "\(folder)/b.json"]
        #expect(try await load(["compare"] + pair + ["--fail-on-regression"]).status == 99)
        #expect(try await load(["compare"] + pair).status == 0)
      }
    }
  }

  @Test func thresholdsDecideTheExitCode() async throws {
    try await withLoginServer { server, _ in
      let kept = try await run(server, ["--fail-if", "errors > 0", "--fail-if", "p99>1000s"])
      #expect(kept.status == 0)
      #expect(kept.output.contains(/\n  threshold +errors > 0: 0, kept\n/))
      let crossed = try await run(server, ["--fail-if", "max > 1ns"])
      #expect(crossed.status == 99)
      let missing = try await run(server, ["--fail-if", "server.cpu > 1s"])
      #expect(missing.status == 99)
      #expect(missing.output.contains("server.cpu > 1s: no such figure, crossed\n"))
    }
  }

  @Test(arguments: ["p99 > nan", "p99 > -1ms", "p99 > 10", "lunch > 1", "errors >> 1"])
  func wrongThresholdsEndWithTwoBeforeAnyLoad(_ text: String) async throws {
    let output = try await load(
      ["run", "session-create", "--target", "127.0.0.1:1", "--fail-if", text])
    #expect(output.status == 2)
    #expect(output.error.hasPrefix("onside-load: --fail-if '\(text)', column "))
  }

  @Test func whatIsNoReportEndsWithNine() async throws {
    try await withFolder { folder in
      try "{\"schema\": \"onside-load/2\"}".write(
        toFile: "\(folder)/x.json", atomically: true, encoding: .utf8)
      for words in [["report", "\(folder)/x.json"], ["compare", "\(folder)/x.json", "/none"]] {
        let output = try await load(words)
        #expect(output.status == 9)
        #expect(output.error.contains("x.json: scenario: missing; expected a string"))
      }
    }
  }
}
