import Glibc
import Testing

@testable import LoadReporting

@Suite struct TerminalTests {
  private let second = SecondFigures(
    second: 3, isMeasured: true, ok: 1_234_567, failed: 2, p50: 812_345, p99: 12_345_678,
    clientCores: 1, serverCores: 0.987, serverResidentBytes: 45 << 20)

  @Test func plainLinesWhereThereIsNoTerminal() {
    var written: [String] = []
    var progress = ProgressLine(isTerminal: false) { written.append($0) }
    progress.show(second, of: "purchase", total: 10)
    progress.clear()
    #expect(
      written == [
        "purchase 3/10 s  1,234,567/s  p50 812 µs  p99 12.3 ms  2 failed"
          + "  server 0.99 cores, 45.0 MiB\n"
      ])
  }

  @Test func linesAreRedrawnInPlaceOnATerminal() {
    var written: [String] = []
    var progress = ProgressLine(isTerminal: true, size: { (40, 24) }) { written.append($0) }
    progress.show(second, of: "purchase", total: nil)
    progress.show(String(repeating: "x", count: 300))
    progress.clear()
    progress.clear()
    #expect(written.count == 3)
    #expect(written[0].hasPrefix("\r\u{1B}[?25lpurchase  3 s\u{1B}[K\r\n  rate      1,234,567/s"))
    #expect(written[1] == "\r\u{1B}[7A" + String(repeating: "x", count: 38) + "…\u{1B}[K\u{1B}[J")
    #expect(written[2] == "\r\u{1B}[J\u{1B}[?25h")
  }

  @Test func secondWithoutAnswers() {
    var written: [String] = []
    var progress = ProgressLine(isTerminal: false) { written.append($0) }
    let empty = SecondFigures(
      second: 1, isMeasured: false, ok: 0, failed: 0, p50: nil, p99: nil, clientCores: 0,
      serverCores: nil, serverResidentBytes: nil)
    progress.show(empty, of: "x", total: 2)
    #expect(written == ["x 1/2 s warm-up  0/s  p50 none  p99 none  0 failed\n"])
  }

  @Test func colourOnlyOnATerminalAndNotAgainstTheUsersWish() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { ends.forEach { close($0) } }
    #expect(!TextStyle(descriptor: ends[1]).usesColour)

    func usesColour(_ variables: [String: String], isTerminal: Bool = true) -> Bool {
      TextStyle(isTerminal: isTerminal) { variables[$0] }.usesColour
    }
    #expect(usesColour([:]))
    #expect(usesColour(["NO_COLOR": "", "TERM": "xterm"]))
    #expect(!usesColour(["NO_COLOR": "1"]))
    #expect(!usesColour(["TERM": "dumb"]))
    #expect(!usesColour([:], isTerminal: false))
  }

  @Test func blocks() {
    #expect(LiveView.blocks([0, 50, nil, 100]) == "▁▄ █")
    #expect(LiveView.blocks([0, 0]) == "")
    #expect(LiveView.blocks([]) == "")
  }

  @Test(arguments: [
    (0.0, "0%"), (1, "100%"), (0.5, "50%"), (0.0031, "0.31%"), (0.00001, "<0.01%"),
    (0.99995, ">99.99%"), (0.9995, "99.95%"), (0.998, "99.8%"),
  ])
  func shares(_ share: Double, _ text: String) {
    #expect(Wording.percent(share) == text)
  }

  @Test(arguments: [
    (0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567"),
  ])
  func groupedNumbers(_ number: Int, _ text: String) {
    #expect(Wording.grouped(number) == text)
  }

  @Test(arguments: [
    (0.5, "0.50 µs"), (12.34, "12.3 µs"), (999, "999 µs"), (999.7, "1.00 ms"), (1240, "1.24 ms"),
    (12_345, "12.3 ms"), (999_499, "999 ms"), (2_100_000, "2.10 s"), (9.996, "10.0 µs"),
  ])
  func times(_ microseconds: Double, _ text: String) {
    #expect(Wording.time(microseconds: microseconds) == text)
  }

  @Test func nothingIsNone() {
    #expect(Wording.time(microseconds: nil) == "none")
    #expect(Wording.digits(nil) == "–")
    #expect(Wording.memory(bytes: nil) == "–")
  }
}
