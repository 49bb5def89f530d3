import Foundation
import TestProcess
import Testing

@testable import LoadReporting

@Suite struct OtherFilesTests {
  @Test func csvHasTheSeries() {
    let lines = LoadReport.full.csv.split(separator: "\r\n", omittingEmptySubsequences: false)
    #expect(lines.count == 60 + 2)
    #expect(lines[0].hasPrefix("second,measured,planned,ok,failed,skipped,in_flight,"))
    #expect(lines[1].hasPrefix("1,false,2000,2000,0,0,"))
    #expect(lines.last == "")
    let columns = lines.dropLast().map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    #expect(Set(columns.map(\.count)) == [17])
    let single = LoadReport.sample().csv.split(separator: "\r\n")
    #expect(single[1] == "1,true,,1000,0,0,0,0,500,,,,0.5,1,3145728,,")
  }

  @Test func junitNamesWhatFailed() {
    var report = LoadReport.full
    report.saturation = []
    report.checks[1].sample = "]]> & \"quoted\""
    let text = report.junit
    #expect(text.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites "))
    #expect(text.contains("tests=\"5\" failures=\"2\""))
    #expect(
      text.contains(
        "<testcase classname=\"onside-load.session-return.threshold\" name=\"p99 &gt; 10ms\""
          + " time=\"0\"/>"))
    #expect(
      text.contains("name=\"errors &gt; 0.1%\" time=\"0\"><failure message=\"measured 0.31%\"/>"))
    #expect(text.contains("2 of 900 wrong: ]]&gt; &amp; &quot;quoted&quot;"))
    let failed = LoadReport.sample(ok: 0, failed: 3).junit
    #expect(failed.contains("<failure message=\"0 right answers, 3 failed, 0 unanswered\"/>"))
  }

  /// A decoder that knows nothing of this project, written from the format's description.
  @Test func hdrLogIsReadByAnotherProgram() throws {
    var report = LoadReport.full
    report.phases = [PhaseFigures(.rpc)]
    for value in [0, 1, 255, 256, 1_000_000, 3_599_000_000_000] as [UInt64] {
      report.phases[0].latency.record(value)
    }
    let latency = report.calls.latency
    let lines = try decode(report.hdrLog)
    #expect(lines.count == 2)
    let all = try #require(lines.first)
    #expect(all[0] == "-")
    #expect(all[1] == "2.000" && all[2] == "58.000")
    #expect(all[3] == "\(latency.count)")
    for (place, share) in [(4, 0.5), (5, 0.99), (6, 1.0)] {
      let wanted = Double(latency.percentile(share) ?? 0)
      let given = try #require(Double(all[place]))
      #expect(abs(given - wanted) <= wanted * 0.01)
    }
    let buckets = latency.buckets.map { "\($0.values.lowerBound):\($0.count)" }
    #expect(all[7] == buckets.joined(separator: " "))
    #expect(lines[1].first == "rpc")
    #expect(lines[1][3] == "6")
    #expect(
      lines[1][7]
        == report.phases[0].latency.buckets.map { "\($0.values.lowerBound):\($0.count)" }
        .joined(separator: " "))
  }

  private func decode(_ log: String) throws -> [[String]] {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("\(UUID().uuidString).hlog")
    try log.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = TestProcess()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "Tests/HdrLog/decode.py", file.path]
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return text.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
  }

  @Test func prometheusText() {
    var state = PrometheusText(scenario: "a \"b\"")
    #expect(
      state.text.contains("onside_load_calls_total{scenario=\"a \\\"b\\\"\",result=\"ok\"} 0\n"))
    for second in LoadReport.full.series.prefix(3) { state.add(second) }
    let text = state.text
    #expect(text.contains("# TYPE onside_load_calls_total counter\n"))
    for name in ["resident_bytes", "descriptors", "context_switches"] {
      #expect(text.contains("\nonside_load_server_\(name){"))
    }
    #expect(text.contains(",result=\"ok\"} 6000\n"))
    #expect(text.contains("onside_load_measured{scenario=\"a \\\"b\\\"\"} 1\n"))
    let format = /# (HELP|TYPE) onside_load_\w+ .+|onside_load_\w+\{[^}]*\} [0-9.]+/
    for line in text.split(separator: "\n") {
      #expect(line.wholeMatch(of: format) != nil, "\(line)")
    }
    var closed = PrometheusText(scenario: "x")
    closed.add(LoadReport.sample().series[0])
    #expect(!closed.text.contains("planned_per_second"))
    #expect(closed.text.contains(",quantile=\"0.5\"} 0.0005\n"))
    #expect(!closed.text.contains("quantile=\"0.99\""))
  }
}
