import Glibc
import Testing

@testable import LoadReporting

@Suite struct LiveViewTests {
  private func view(_ count: Int = 5) -> LiveView {
    var view = LiveView()
    for number in 1...count {
      var second = SecondFigures(
        second: Double(number), isMeasured: number > 1, ok: 1000 * number, failed: 0,
        p50: 800_000, p99: UInt64(number) * 1_000_000, clientCores: 0.25, serverCores: 0.5,
        serverResidentBytes: 48 << 20)
      second.planned = 5000
      second.inFlight = number
      view.add(second)
    }
    return view
  }

  @Test func linesOfAUsualTerminal() {
    let lines = view().lines(of: "session-return", total: 20, columns: 79, style: .plain)
    #expect(
      lines == [
        "session-return  ━━━━━━━━━━──────────────────────────────  15 s left",
        "  rate      5,000 of 5,000/s        ▂▄▅▇█",
        "  p50       800 µs                  █████",
        "  p99       5.00 ms                 ▂▄▅▇█",
        "  errors    0",
        "  in flight 5                       ▂▄▅▇█",
        "  server    0.50 cores, 48.0 MiB    █████",
        "  generator 0.25 cores              █████",
      ])
  }

  @Test func linesOfANarrowTerminal() {
    let lines = view(1).lines(of: "session-return", total: 20, columns: 39, style: .plain)
    #expect(lines[0] == "session-return  warm-up, 19 s left")
    #expect(lines[1] == "  rate      1,000 of 5,000/s")
  }

  @Test(arguments: [20, 39, 40, 60, 79, 120, 199])
  func noLineIsTooLong(_ columns: Int) {
    var view = self.view(200)
    var worst = SecondFigures(
      second: 604_800, isMeasured: false, ok: 123_456_789, failed: 99_999_999, p50: nil,
      p99: 9_999_999_999_999, clientCores: 1024, serverCores: 1024,
      serverResidentBytes: 1 << 50)
    worst.planned = 123_456_789
    worst.skipped = 123_456_789
    for scenario in ["x", String(repeating: "long-", count: 60)] {
      view.add(worst)
      for total in [nil, 0, 700_000.0] as [Double?] {
        let lines = view.lines(of: scenario, total: total, columns: columns, style: .plain)
        #expect(lines.allSatisfy { $0.count <= columns }, "\(lines)")
        #expect(lines.count == 8)
      }
    }
  }

  @Test func errorsAreRedAndSecondsWithoutAnswersLeaveAGap() {
    var view = self.view()
    let bad = SecondFigures(
      second: 6, isMeasured: true, ok: 0, failed: 7, p50: nil, p99: nil, clientCores: 0)
    view.add(bad)
    let lines = view.lines(
      of: "x", total: nil, columns: 79, style: TextStyle(usesColour: true))
    #expect(lines[0] == "x  6 s")
    #expect(lines.contains { $0.contains("\u{1B}[31m7\u{1B}[0m") })
    #expect(lines[2].hasSuffix("█████ ") && lines[2].contains("none"))
    #expect(!lines.contains { $0.contains("server") })
  }

  /// The other end of a pseudo-terminal sees what a person would.
  @Test func drawsOnAPseudoTerminal() throws {
    let (master, slave) = try pseudoTerminal()
    defer { close(master) }
    defer { close(slave) }
    var size = winsize(ws_row: 5, ws_col: 60, ws_xpixel: 0, ws_ypixel: 0)
    try #require(ioctl(slave, UInt(TIOCSWINSZ), &size) == 0)

    var progress = ProgressLine(descriptor: slave)
    let series = LoadReport.full.series
    progress.show("connecting")
    progress.show(series[0], of: "session-return", total: 60)
    progress.show(series[1], of: "session-return", total: 60)
    progress.clear()
    progress.clear()
    let text = read(master, until: "\u{1B}[?25h")
    #expect(text.hasPrefix("\r\u{1B}[?25lconnecting\u{1B}[K\u{1B}[J\r"))
    #expect(text.hasSuffix("\r\u{1B}[3A\u{1B}[J\u{1B}[?25h"))
    // Four of the five rows are ours; the second drawing goes over the first.
    #expect(text.split(separator: "\u{1B}[3A").count == 3)
    #expect(text.contains("58 s left"))
    for line in text.split(whereSeparator: \.isNewline) {
      #expect(line.replacing(/\u{1B}\[[0-9?;]*[a-zA-Z]/, with: "").count < 60, "\(line)")
    }
  }

  private func pseudoTerminal() throws -> (master: Int32, slave: Int32) {
    let master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    try #require(master >= 0)
    // TIOCSPTLCK and TIOCGPTN of the kernel, which have no names in Swift.
    var lock: Int32 = 0
    try #require(ioctl(master, 0x4004_5431, &lock) == 0)
    var number: UInt32 = 0
    try #require(ioctl(master, 0x8004_5430, &number) == 0)
    let slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    try #require(slave >= 0)
    return (master, slave)
  }

  private func read(_ descriptor: Int32, until end: String) -> String {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 4096)
    while !String(decoding: bytes, as: UTF8.self).hasSuffix(end) {
      let count = Glibc.read(descriptor, &block, block.count)
      guard count > 0 else { break }
      bytes += block.prefix(count)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
