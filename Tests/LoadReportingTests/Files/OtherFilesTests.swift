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
    report.phases = [PhaseFigures(.rpc), PhaseFigures(.total)]
    for value in [0, 1, 255, 256, 1_000_000, 3_599_000_000_000] as [UInt64] {
      report.phases[0].latency.record(value)
    }
    report.phases[1].latency = report.calls.latency
    let lines = try decode(report.hdrLog)
    // Two seconds of the 60 are warm-up.
    #expect(lines.map(\.tag) == Array(repeating: "-", count: 58) + ["rpc", "total"])
    expect(lines[58], is: report.phases[0].latency, from: 2, 58)
    expect(lines[59], is: report.calls.latency, from: 2, 58)
    for (line, second) in zip(lines, report.series.dropFirst(2)) {
      #expect(line.start == second.second - 1 && line.length == 1)
      #expect(line.count == second.ok)
      for (given, wanted) in zip(line.percentiles, [second.p50, second.p99, second.max]) {
        let wanted = try Double(#require(wanted))
        #expect(abs(Double(given) - wanted) <= wanted * 0.01)
      }
    }
    // Together they are the run's: here each measured answer was planned in its window, too.
    var sum: [UInt64: UInt64] = [:]
    for line in lines.prefix(58) { sum.merge(line.buckets, uniquingKeysWith: +) }
    #expect(sum == lines[59].buckets)
  }

  @Test func hdrLogOfAnOlderReportHasTheWholeRunWithoutATag() throws {
    var report = LoadReport.full
    for index in report.series.indices { report.series[index].histogram = nil }
    let old = try LoadReport(json: JSONValue(parsing: report.json.indented()))
    let lines = try decode(old.hdrLog)
    #expect(lines.count { $0.tag == "-" } == 1)
    expect(lines[0], is: report.calls.latency, from: 2, 58)
  }

  /// What is written into a log, line by line, is nothing but Base64.
  @Test(arguments: ["", "a", "AAAA\nTag=x,0,1,1,AAAA", "AAA,", "A===", "ÄAA", "AA=A", "=AAA"])
  func packedHistogramsAreBase64(text: String) {
    #expect(PackedHistogram(text: text) == nil)
    var second = LoadReport.full.series[5]
    let json = second.json.compact()
    second.histogram = nil
    #expect(second.json.compact().contains("\"hdr\":null"))
    let quoted = JSONValue.string(text).compact()
    let mended = json.replacing(/"hdr":"[^"]*"/, with: "\"hdr\":\(quoted)")
    #expect(throws: ReportFormatError.self) {
      try SecondFigures(MemberReader(value: JSONValue(parsing: mended), path: "series[5]"))
    }
  }

  private func expect(
    _ line: HdrLine, is latency: LatencyHistogram, from start: Double, _ length: Double
  ) {
    #expect(line.start == start && line.length == length)
    #expect(line.count == Int(latency.count))
    for (given, share) in zip(line.percentiles, [0.5, 0.99, 1]) {
      let wanted = Double(latency.percentile(share) ?? 0)
      #expect(abs(Double(given) - wanted) <= wanted * 0.01)
    }
    let buckets = latency.buckets.map { ($0.values.lowerBound, $0.count) }
    #expect(line.buckets == Dictionary(uniqueKeysWithValues: buckets))
  }

  /// A line of the decoder's output.
  private struct HdrLine {
    var tag: String
    var start: Double
    var length: Double
    var count: Int
    var percentiles: [UInt64]
    var buckets: [UInt64: UInt64]

    init?(_ line: Substring) {
      let fields = line.split(separator: "\t")
      guard fields.count == 8, let start = Double(fields[1]), let length = Double(fields[2]),
        let count = Int(fields[3])
      else { return nil }
      tag = String(fields[0])
      self.start = start
      self.length = length
      self.count = count
      percentiles = fields[4...6].compactMap { UInt64($0) }
      buckets = [:]
      for bucket in fields[7].split(separator: " ") {
        let numbers = bucket.split(separator: ":").compactMap { UInt64($0) }
        guard numbers.count == 2 else { return nil }
        buckets[numbers[0]] = numbers[1]
      }
    }
  }

  private func decode(_ log: String) throws -> [HdrLine] {
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
    return try text.split(separator: "\n").map { try #require(HdrLine($0)) }
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
