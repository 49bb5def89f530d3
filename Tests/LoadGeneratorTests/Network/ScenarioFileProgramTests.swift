import Foundation
import LoadReporting
import Testing

@testable import LoadGenerator

/// Scenario files and the search for capacity, by the program itself.
@Suite struct ScenarioFileProgramTests {
  private func load(_ arguments: [String]) async throws -> ProgramOutput {
    try await runProgram(try builtProgram("onside-load"), arguments)
  }

  private func withFile(
    _ text: String, _ body: (String) async throws -> Void
  ) async throws {
    let path = FileManager.default.temporaryDirectory.path + "/load-\(UUID().uuidString).txt"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await body(path)
  }

  @Test func partsOfAMixHaveTheirOptionsInFilesToo() async throws {
    let parts = ["journey clients=20 step-pause=2s think-time=1s..3s", "session-return zipf=1.1"]
    let direct = try await load(
      ["run", "--target", "127.0.0.1:1", "--seed", "1", "--dry-run"]
        + parts.flatMap { ["--client", $0] })
    #expect(direct.error == "")
    let plan = try JSONValue(parsing: direct.output)
    let mix = try #require(plan["mix"]?.elements)
    #expect(mix[0]["clients"]?.double == 20)
    #expect(mix[0]["step-pause"]?.string == "2s")
    #expect(mix[1]["weight"]?.double == 1)
    let text = "target 127.0.0.1:1\nseed 1\n" + parts.map { "client \($0)\n" }.joined()
    try await withFile(text) { path in
      let read = try await load(["run", "--scenario-file", path, "--dry-run"])
      #expect(read.output == direct.output)
    }
    try await withFile("target 127.0.0.1:1\nclient journey clients=20 burst=2\n") { path in
      let wrong = try await load(["run", "--scenario-file", path, "--dry-run"])
      #expect(wrong.status == 2)
      #expect(wrong.error.contains("journey has no burst: it is of storm"), "\(wrong.error)")
    }
  }

  @Test func fileAndCommandLineGiveTheSamePlan() async throws {
    let text = """
      # What a busy evening looks like.
      target 127.0.0.1:1
      client session-return weight=3 users=500
      client product-filter weight=1 identifiers=20
      stage rate=100..500 for=30s
      stage rate=500 for=10s
      arrivals poisson
      max-in-flight 200
      connections 20
      seed 42
      app com.example.other
      """
    let words = [
      "run", "--target", "127.0.0.1:1", "--client", "session-return weight=3 users=500",
      "--client", "product-filter weight=1 identifiers=20", "--stage", "rate=100..500 for=30s",
      "--stage", "rate=500 for=10s", "--arrivals", "poisson", "--max-in-flight", "200",
      "--connections", "20", "--seed", "42", "--app", "com.example.other", "--dry-run",
    ]
    let direct = try await load(words)
    #expect(direct.status == 0)
    #expect(direct.error == "")
    let plan = try JSONValue(parsing: direct.output)
    #expect(plan["model"]?.string == "open")
    #expect(plan["duration_seconds"]?.double == 40)
    #expect(plan["stages"]?.elements?.count == 2)
    try await withFile(text) { path in
      let read = try await load(["run", "--scenario-file", path, "--dry-run"])
      #expect(read.error == "")
      #expect(read.output == direct.output)

      // What the command line says takes the place of the file's.
      let changed = try await load([
        "run", "session-create", "--scenario-file=\(path)", "--rate", "5", "--dry-run",
        "--seed", "43",
      ])
      let other = try JSONValue(parsing: changed.output)
      #expect(other["scenario"]?.string == "session-create")
      #expect(other["stages"]?.elements?.count == 1)
      #expect(other["seed"]?.double == 43)
      #expect(other["connections"]?.double == 20)
    }
  }

  @Test(arguments: [
    ("target 127.0.0.1:1\n  rat 5", ":2:3: \"rat\" can't be set in a scenario file; did you mean"),
    ("rate   0", ":1:8: rate \"0\": expected calls per second, more than 0"),
    ("scenario nothing", ":1:10: scenario \"nothing\": expected one of session-create"),
    ("stage rate=5", ":1:7: stage \"rate=5\": expected rate=N for=TIME"),
    ("quiet yes", ":1:7: quiet takes no value"),
    ("seed 1\nseed 2", ":2:1: seed was given in line 1 already"),
    ("scenario-file x", ":1:1: \"scenario-file\" can't be set in a scenario file"),
  ])
  func problemsNameFileLineAndColumn(_ text: String, _ message: String) async throws {
    try await withFile(text) { path in
      let output = try await load(["run", "--scenario-file", path])
      #expect(output.status == 2)
      #expect(output.error.hasPrefix("onside-load: \(path)\(message)"), "\(output.error)")
      #expect(output.error.split(separator: "\n").count == 1)
    }
  }

  @Test func openLoopIsReported() async throws {
    try await withLoginServer { server, _ in
      let output = try await load([
        "run", "session-create", "--target", "127.0.0.1:\(server.port)", "--ca",
        server.certificates.path("ca.pem"), "--connections", "4", "--rate", "100", "--duration",
        "1", "--warmup", "0.2", "--json", "-", "--quiet",
      ])
      // A busy machine may make the generator late, which it then says.
      #expect(output.status == 0 || output.status == 98, "\(output.error)")
      let report = try JSONValue(parsing: output.output)
      #expect(report["load", "model"]?.string == "open")
      #expect(report["calls", "ok"]?.double ?? 0 > 0)
    }
  }

  @Test func capacityIsSearched() async throws {
    try await withLoginServer { server, _ in
      let output = try await load([
        "find-capacity", "session-create", "--target", "127.0.0.1:\(server.port)", "--ca",
        server.certificates.path("ca.pem"), "--connections", "4", "--latency", "max<60s",
        "--errors", "50%", "--delivered", "1%", "--from", "20", "--to", "40",
        "--probe-duration", "0.3", "--warmup", "0", "--votes", "1", "--json", "-", "--quiet",
      ])
      #expect([0, 98].contains(output.status), "\(output.error)")
      let result = try JSONValue(parsing: output.output)
      #expect(result["schema"]?.string == "onside-load-capacity/1")
      #expect((result["probes"]?.elements?.count ?? 0) >= 2)
    }
  }

  /// Of a run with many calls and one with a quarter of them: what it takes for each is 8 bytes,
  /// its fingerprint. A million calls with `ONSIDE_LOAD_CALLS=1000000`.
  @Test("LG-24 memory and descriptors stay flat over many calls", arguments: [false, true])
  func memoryAndDescriptorsStayFlat(renewsConnections: Bool) async throws {
    let environment = ProcessInfo.processInfo.environment
    let many = environment["ONSIDE_LOAD_CALLS"].flatMap { Int($0) } ?? 20_000
    try await withLoginServer { server, _ in
      var ends: [(peak: Double, live: Double, descriptors: Double)] = []
      for calls in [many / 4, many] {
        let output = try await load(
          [
            "run", "session-return", "--target", "127.0.0.1:\(server.port)", "--ca",
            server.certificates.path("ca.pem"), "--connections", "8", "--calls", String(calls),
            "--seed", "1", "--users", "50", "--json", "-", "--quiet",
          ] + (renewsConnections ? ["--calls-per-connection", "250"] : []))
        #expect(output.status == 0, "\(output.error)")
        let report = try JSONValue(parsing: output.output)
        ends.append(
          (
            peak: try #require(report["client", "peak_rss_bytes"]?.double),
            live: try #require(report["client", "live_bytes"]?.double),
            descriptors: try #require(report["client", "descriptors"]?.double)
          ))
        let opened = try #require(report["connections", "opened"]?.double)
        #expect(renewsConnections ? opened >= Double(calls / 250) : opened == 8)
        #expect(report["calls", "ok"]?.double == Double(calls))
      }
      let kept = Double(many) * 8
      #expect(ends[1].peak - ends[0].peak < 2 * kept + 8_000_000, "\(ends)")
      // An array that grows has room for as much again.
      #expect(ends[1].live - ends[0].live < 2 * kept + 250_000, "\(ends)")
      // Some of those that are renewed may not be closed yet when the last call has ended.
      let closing: Double = renewsConnections ? 8 : 0
      #expect(abs(ends[1].descriptors - ends[0].descriptors) <= closing, "\(ends)")
    }
  }
}
