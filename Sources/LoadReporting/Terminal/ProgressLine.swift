import Glibc

/// What is seen while a run goes on: one line that is rewritten on a terminal, a line a second
/// elsewhere. It goes to standard error, since standard output may be a report.
public struct ProgressLine {
  private let style: TextStyle
  private let isTerminal: Bool
  private let columns: Int
  private let write: (String) -> Void
  private var isOpen = false
  private var rates: [Double] = []

  /// Standard error.
  public init() {
    self.init(
      isTerminal: isatty(STDERR_FILENO) == 1, style: TextStyle(descriptor: STDERR_FILENO),
      columns: ProgressLine.terminalColumns(), write: ProgressLine.toStandardError)
  }

  init(
    isTerminal: Bool, style: TextStyle = .plain, columns: Int = 80,
    write: @escaping (String) -> Void
  ) {
    self.isTerminal = isTerminal
    self.style = style
    self.columns = columns
    self.write = write
  }

  /// Shows something that takes a while.
  public mutating func show(_ text: String) {
    if isTerminal {
      let cut = text.count < columns ? text : text.prefix(columns - 2) + "…"
      write("\r\u{1B}[2K\(cut)")
      isOpen = true
    } else {
      write(text + "\n")
    }
  }

  /// Shows the last second.
  public mutating func show(_ second: SecondFigures, of scenario: String, total: Double?) {
    rates.append(Double(second.ok))
    var parts = ["\(scenario) \(clock(second, total: total))"]
    parts.append("\(Wording.grouped(second.ok))/s")
    parts.append("p50 \(Wording.time(microseconds: second.p50.map { Double($0) / 1e3 }))")
    parts.append("p99 \(Wording.time(microseconds: second.p99.map { Double($0) / 1e3 }))")
    parts.append("\(Wording.grouped(second.failed)) failed")
    if let cores = second.serverCores {
      let memory = Wording.memory(bytes: second.serverResidentBytes.map { Double($0) })
      parts.append("server \(Wording.fixed(cores, places: 2)) cores, \(memory)")
    }
    if isTerminal { parts.append(ProgressLine.sparkline(rates.suffix(12))) }
    show(fitting(parts))
  }

  /// Removes the line, so that something else can be printed.
  public mutating func clear() {
    if isOpen { write("\r\u{1B}[2K") }
    isOpen = false
  }

  /// On a terminal, without the parts at the end that there is no room for.
  private func fitting(_ parts: [String]) -> String {
    var line = ""
    for part in parts {
      let longer = line.isEmpty ? part : "\(line)  \(part)"
      if isTerminal, longer.count >= columns { break }
      line = longer
    }
    return line
  }

  private func clock(_ second: SecondFigures, total: Double?) -> String {
    let phase = second.isMeasured ? "" : " warm-up"
    let end = total.map { "/\(Wording.fixed($0, places: 0))" } ?? ""
    return "\(Wording.fixed(second.second, places: 0))\(end) s\(phase)"
  }

  static func sparkline(_ values: some Collection<Double>) -> String {
    let bars = Array("▁▂▃▄▅▆▇█")
    guard let top = values.max(), top > 0 else { return "" }
    return String(values.map { bars[min(7, max(0, Int($0 / top * 7.999)))] })
  }

  private static func toStandardError(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      _ = Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    }
  }

  private static func terminalColumns() -> Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 20 else { return 80 }
    return Int(size.ws_col)
  }
}
