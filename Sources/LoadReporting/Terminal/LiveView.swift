/// What is seen of a run while it goes on, as a few lines of a given width.
struct LiveView {
  /// The seconds that lines of blocks are drawn of.
  private var recent: [SecondFigures] = []
  private var failed = 0
  private static let most = 120
  private static let labelWidth = 10
  private static let valueWidth = 24

  mutating func add(_ second: SecondFigures) {
    failed += second.failed
    recent.append(second)
    if recent.count > LiveView.most { recent.removeFirst() }
  }

  /// - Parameters:
  ///   - total: how long the run is to take, in seconds; nil: until its calls are made.
  ///   - columns: no line is longer.
  func lines(of scenario: String, total: Double?, columns: Int, style: TextStyle) -> [String] {
    guard let last = recent.last else { return [] }
    var lines = [title(scenario, last, total, columns, style)]
    func add(
      _ name: String, _ value: String, _ look: TextStyle.Look = .plain,
      _ values: [Double?] = []
    ) {
      lines.append(row(name, value, look, values, columns, style))
    }
    let plan = last.planned.map { " of \(Wording.grouped($0))" } ?? ""
    add("rate", "\(Wording.grouped(last.ok))\(plan)/s", .bold, recent.map { Double($0.ok) })
    add("p50", time(last.p50), .plain, recent.map { $0.p50.map { Double($0) } })
    add("p99", time(last.p99), .plain, recent.map { $0.p99.map { Double($0) } })
    let skipped = last.skipped > 0 ? ", \(Wording.grouped(last.skipped)) skipped" : ""
    add(
      "errors", "\(Wording.grouped(failed))\(skipped)", failed > 0 ? .red : .green,
      failed > 0 ? recent.map { Double($0.failed) } : [])
    add("in flight", Wording.grouped(last.inFlight), .plain, recent.map { Double($0.inFlight) })
    if let cores = last.serverCores {
      let memory = Wording.memory(bytes: last.serverResidentBytes.map { Double($0) })
      add(
        "server", "\(Wording.fixed(cores, places: 2)) cores, \(memory)", .plain,
        recent.map(\.serverCores))
    }
    add(
      "generator", "\(Wording.fixed(last.clientCores, places: 2)) cores", .plain,
      recent.map(\.clientCores))
    return lines
  }

  private func time(_ nanoseconds: UInt64?) -> String {
    Wording.time(microseconds: nanoseconds.map { Double($0) / 1e3 })
  }

  private func title(
    _ scenario: String, _ last: SecondFigures, _ total: Double?, _ columns: Int,
    _ style: TextStyle
  ) -> String {
    let phase = last.isMeasured ? "" : "warm-up, "
    let now = Wording.fixed(last.second, places: 0)
    var clock = "\(phase)\(now) s"
    if let total {
      let left = max(0, total - last.second).rounded(.up)
      clock = "\(phase)\(Wording.fixed(left, places: 0)) s left"
    }
    let room = columns - clock.count - 2
    let name = LiveView.cut(scenario, to: max(4, room))
    let barWidth = min(40, room - name.count - 2)
    guard let total, total > 0, barWidth >= 5 else {
      return LiveView.cut("\(name)  \(clock)", to: columns)
    }
    let filled = min(barWidth, Int(Double(barWidth) * last.second / total))
    let bar =
      String(repeating: "━", count: filled)
      + style.apply(.dim, to: String(repeating: "─", count: barWidth - filled))
    return "\(style.apply(.bold, to: name))  \(bar)  \(clock)"
  }

  private func row(
    _ name: String, _ value: String, _ look: TextStyle.Look, _ values: [Double?],
    _ columns: Int, _ style: TextStyle
  ) -> String {
    let label = name + String(repeating: " ", count: max(1, LiveView.labelWidth - name.count))
    let text = LiveView.cut(value, to: max(1, columns - label.count - 2))
    let width = columns - 2 - LiveView.labelWidth - LiveView.valueWidth
    let line = "  \(style.apply(.dim, to: label))\(style.apply(look, to: text))"
    guard width >= 4, text.count < LiveView.valueWidth else { return line }
    let shape = LiveView.blocks(values.suffix(min(width, 60)))
    guard !shape.isEmpty else { return line }
    return line + String(repeating: " ", count: LiveView.valueWidth - text.count) + shape
  }

  /// The values as a line of blocks; a place without a value is empty.
  static func blocks(_ values: some Collection<Double?>) -> String {
    let blocks = Array("▁▂▃▄▅▆▇█")
    guard let top = values.compactMap({ $0 }).max(), top > 0 else { return "" }
    return String(
      values.map { value in
        guard let value else { return " " }
        return blocks[min(7, max(0, Int(value / top * 7.999)))]
      })
  }

  private static func cut(_ text: String, to width: Int) -> String {
    text.count <= width ? text : text.prefix(max(0, width - 1)) + "…"
  }
}
