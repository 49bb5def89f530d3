import Glibc

/// What is seen while a run goes on: a few lines that are redrawn in place on a terminal, a line a
/// second elsewhere. It goes to standard error, since standard output may be a report.
public struct ProgressLine {
  private let style: TextStyle
  private let isTerminal: Bool
  private let size: () -> (columns: Int, rows: Int)
  private let write: (String) -> Void
  private var view = LiveView()

  /// Lines on the terminal that are ours.
  private var drawn = 0

  /// Standard error.
  public init() {
    self.init(descriptor: STDERR_FILENO)
  }

  /// A descriptor; what is drawn depends on whether it is a terminal, and how wide.
  init(descriptor: Int32) {
    self.init(
      isTerminal: isatty(descriptor) == 1 && !ProgressLine.isDumb,
      style: TextStyle(descriptor: descriptor),
      size: { ProgressLine.terminalSize(descriptor) },
      write: { ProgressLine.write($0, to: descriptor) })
    if isTerminal { TerminalCursor.restoreAtExit(descriptor) }
  }

  init(
    isTerminal: Bool, style: TextStyle = .plain,
    size: @escaping () -> (columns: Int, rows: Int) = { (80, 24) },
    write: @escaping (String) -> Void
  ) {
    self.isTerminal = isTerminal
    self.style = style
    self.size = size
    self.write = write
  }

  /// Shows something that takes a while.
  public mutating func show(_ text: String) {
    guard isTerminal else { return write(text + "\n") }
    let columns = size().columns
    draw([text.count < columns ? text : text.prefix(max(0, columns - 2)) + "…"])
  }

  /// Shows the last second.
  public mutating func show(_ second: SecondFigures, of scenario: String, total: Double?) {
    guard isTerminal else { return write(line(second, scenario, total) + "\n") }
    view.add(second)
    let (columns, rows) = size()
    // In the last column some terminals begin a new line already.
    let lines = view.lines(of: scenario, total: total, columns: columns - 1, style: style)
    draw(Array(lines.prefix(max(1, rows - 1))))
  }

  /// Removes the lines, so that something else can be printed, and shows the cursor again.
  public mutating func clear() {
    if drawn > 0 { write("\r" + up + "\u{1B}[J\u{1B}[?25h") }
    drawn = 0
  }

  /// In one piece, each line over the one that was there: nothing flickers.
  private mutating func draw(_ lines: [String]) {
    let start = drawn == 0 ? "\u{1B}[?25l" : up
    write("\r" + start + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J")
    drawn = lines.count
  }

  private var up: String { drawn > 1 ? "\u{1B}[\(drawn - 1)A" : "" }

  private func line(_ second: SecondFigures, _ scenario: String, _ total: Double?) -> String {
    var parts = ["\(scenario) \(clock(second, total: total))"]
    let plan = second.planned.map { " of \(Wording.grouped($0))" } ?? ""
    parts.append("\(Wording.grouped(second.ok))\(plan)/s")
    parts.append("p50 \(Wording.time(microseconds: second.p50.map { Double($0) / 1e3 }))")
    parts.append("p99 \(Wording.time(microseconds: second.p99.map { Double($0) / 1e3 }))")
    parts.append("\(Wording.grouped(second.failed)) failed")
    if second.skipped > 0 { parts.append("\(Wording.grouped(second.skipped)) skipped") }
    if let cores = second.serverCores {
      let memory = Wording.memory(bytes: second.serverResidentBytes.map { Double($0) })
      parts.append("server \(Wording.fixed(cores, places: 2)) cores, \(memory)")
    }
    return parts.joined(separator: "  ")
  }

  private func clock(_ second: SecondFigures, total: Double?) -> String {
    let phase = second.isMeasured ? "" : " warm-up"
    let end = total.map { "/\(Wording.fixed($0, places: 0))" } ?? ""
    return "\(Wording.fixed(second.second, places: 0))\(end) s\(phase)"
  }

  private static var isDumb: Bool {
    getenv("TERM").map { String(cString: $0) } == "dumb"
  }

  private static func write(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  private static func terminalSize(_ descriptor: Int32) -> (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 20 else {
      return (80, 24)
    }
    return (Int(size.ws_col), max(2, Int(size.ws_row)))
  }
}

/// Shows the cursor again when the process ends, however early.
private enum TerminalCursor {
  static func restoreAtExit(_ descriptor: Int32) {
    guard descriptor == STDERR_FILENO else { return }
    _ = once
  }

  private static let once: Void = {
    atexit {
      let text: StaticString = "\u{1B}[?25h"
      _ = Glibc.write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
    }
  }()
}
