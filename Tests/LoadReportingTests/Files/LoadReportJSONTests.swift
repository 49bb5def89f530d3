import Glibc
import Testing

@testable import LoadReporting

@Suite struct LoadReportJSONTests {
  @Test("LG-20 what was read is written again byte for byte")
  func readThenWrittenIsTheSame() throws {
    for report in [
      LoadReport.full, .sample(failed: 2), .sample(ok: 0, failed: 3),
      .sample(ending: .aborted("no \u{1B} way")), .sample(ending: .interrupted),
    ] {
      let text = report.json.indented()
      let read = try LoadReport(json: JSONValue(parsing: text))
      #expect(read.json.indented() == text)
    }
  }

  @Test func everyFigureComesBack() throws {
    let report = LoadReport.full
    let read = try LoadReport(json: JSONValue(parsing: report.json.compact()))
    #expect(read == report)
  }

  /// Whoever adds a property to the model has to give it a place in the JSON form: one that
  /// has its default in the full sample would come back by chance.
  @Test func theSampleDiffersFromAnEmptyReportEverywhere() {
    let machine = Machine(hostName: "", kernel: "", cpuModel: "", usableCores: 0, cores: 0)
    let process = ProcessFigures(pid: 0, cpuNanoseconds: 0)
    let full = LoadReport.full
    let empty = SecondFigures(
      second: 0, isMeasured: false, ok: 0, failed: 0, p50: nil, p99: nil, clientCores: 0)
    let pairs: [(any Equatable & Sendable, any Equatable & Sendable)] = [
      (
        full,
        LoadReport(
          scenario: "", commandLine: [], startedAt: 0, machine: machine, sharesHost: false,
          load: [], ending: .calls, seconds: 0, calls: .init(), steps: [], connections: .init(),
          client: process, server: nil, checks: [], series: [])
      ),
      (full.calls, CallFigures()), (full.connections, ConnectionFigures()),
      (full.serverFacts, ServerFacts()), (full.client, process), (full.machine, machine),
      (full.scenarios[0], ScenarioFigures(name: "")), (full.series[30 - 1], empty),
      (full.steps[0], StepFigures(name: "")),
    ]
    for (sample, plain) in pairs {
      for (given, unset) in zip(
        Mirror(reflecting: sample).children, Mirror(reflecting: plain).children)
      where given.label != "failed" && given.label != "places" {
        #expect(
          "\(given.value)" != "\(unset.value)",
          "\(type(of: sample)).\(given.label ?? "?") has no value of its own in the full sample")
      }
    }
  }

  @Test func everyMemberIsDocumentedAndEveryDocumentedMemberIsThere() throws {
    let text = try contents("Docs/load-report-format.md")
    let pattern = /\| `([a-z0-9_\.\[\]]+)` \|/
    let documented = Set(text.matches(of: pattern).map { String($0.1) })
    let written = members(of: LoadReport.full.json, "")
    #expect(written.subtracting(documented).sorted() == [], "not documented")
    #expect(documented.subtracting(written).sorted() == [], "documented, but not written")
  }

  @Test(arguments: [
    ("\"schema\": \"onside-load/2\"", "\"schema\": \"onside-load/9\"", "schema"),
    ("\"failed\": 2", "\"failed\": -2", "calls.failed"),
    ("\"pid\": 1,", "\"pid\": \"1\",", "client.pid"),
    ("\"measured\": true", "\"measured\": 1", "series[0].measured"),
    ("\"phase\": \"answer\"", "\"phase\": \"lunch\"", "calls.failures[0].phase"),
    ("\"ended_by\": \"duration\"", "\"ended_by\": null", "ended_by"),
    ("\"tool\"", "\"fool\"", "tool"), ("\"agents\"", "\"agent\"", "agents"),
    (
      "\"count\": 3,\n      \"sum_ns\"", "\"count\": 4,\n      \"sum_ns\"",
      "calls.latency_histogram"
    ),
  ])
  func errorsNameTheMember(_ right: String, _ wrong: String, _ member: String) throws {
    let text = LoadReport.sample(ok: 3, failed: 2).json.indented()
    let parts = text.split(separator: right, maxSplits: 1)
    try #require(parts.count == 2, "the report has \(right)")
    let json = try JSONValue(parsing: parts[0] + wrong + parts[1])
    let error = #expect(throws: ReportFormatError.self) { try LoadReport(json: json) }
    #expect(error?.member == member)
  }

  @Test func whatIsNoReportIsRefused() {
    for text in ["{}", "[]", "1", "{\"schema\": \"onside-load/1\"}"] {
      #expect(throws: ReportFormatError.self) {
        try LoadReport(json: JSONValue(parsing: text))
      }
    }
  }

  /// The paths of all members. What has the same shape in several places is documented once:
  /// its members stand under the shape's name.
  private func members(of value: JSONValue, _ path: String) -> Set<String> {
    guard case .object(let members) = value else {
      guard case .array(let elements) = value else { return [path] }
      return elements.reduce(into: []) { $0.formUnion(self.members(of: $1, "\(path)[]")) }
    }
    if path == "load" { return [path] }
    let shape = shape(of: path)
    return members.reduce(into: shape.map { _ in [path] } ?? []) { paths, member in
      let name = path.isEmpty ? member.name : "\(shape ?? path).\(member.name)"
      paths.formUnion(self.members(of: member.value, name))
    }
  }

  private func shape(of path: String) -> String? {
    if path.hasSuffix("_us") { return "summary" }
    if path.hasSuffix("_histogram") { return "histogram" }
    return switch path {
    case "calls", "scenarios[].calls": "calls"
    case "delivery", "agents[].load": "delivery"
    case "client", "server", "agents[].process": "process"
    case "machine", "agents[].machine": "machine"
    case "steps[]", "scenarios[].steps[]": "steps"
    default: nil
    }
  }
}

/// A text file of the project; tests run in its folder.
func contents(_ path: String) throws -> String {
  let file = try #require(fopen(path, "r"), "\(path)")
  defer { fclose(file) }
  var bytes: [UInt8] = []
  while case let byte = getc(file), byte != EOF { bytes.append(UInt8(byte)) }
  return String(decoding: bytes, as: UTF8.self)
}
