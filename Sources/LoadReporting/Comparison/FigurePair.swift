/// Two runs whose figures are compared one by one.
struct FigurePair {
  let before: LoadReport
  let after: LoadReport

  /// Those that every run has, second by second.
  static let main: Set = ["right answers per second", "errors", "p50", "p99"]

  var figures: [ComparedFigure] {
    let all = [
      rate, errors, percentile("p50", 0.5, \.p50), percentile("p90", 0.9, \.p90),
      percentile("p99", 0.99, \.p99), tail, percentile("max", 1, \.max), delivered, serverCPU,
      serverCores, memory, clientCores,
    ]
    return (all + phases).filter { $0.before != nil || $0.after != nil }
  }

  private var rate: ComparedFigure {
    // In an open loop the plan decides on the rate.
    let isPlanned = before.series.contains { $0.planned != nil }
    return overTime(
      "right answers per second", .perSecond, before.okPerSecond, after.okPerSecond,
      wish: isPlanned ? .none : .more
    ) { Double($0.ok) }
  }

  /// From none to any is worse, whatever the seconds say.
  private var errors: ComparedFigure {
    func share(_ report: LoadReport) -> Double? {
      let errors = report.calls.failed + report.calls.unanswered
      return report.calls.sent > 0 ? Double(errors) / Double(report.calls.sent) : nil
    }
    let shares = (share(before), share(after))
    if shares.0 == 0, let errors = shares.1, errors > 0 {
      return ComparedFigure("errors", .share, 0, errors, wish: .less, isSure: true)
    }
    return overTime("errors", .share, shares.0, shares.1, wish: .less) { Double($0.failed) }
  }

  private func percentile(
    _ name: String, _ share: Double, _ figure: (SecondFigures) -> UInt64?
  ) -> ComparedFigure {
    let values = [before, after].map { report in
      report.calls.latency.percentile(share).map { Double($0) / 1e3 }
    }
    return overTime(name, .microseconds, values[0], values[1], wish: .less) { second in
      figure(second).map { Double($0) }
    }
  }

  /// Seconds have no p99.9 of their own: it is judged by how many calls there are.
  private var tail: ComparedFigure {
    byCounts("p99.9", 0.999, before.calls.latency, after.calls.latency)
  }

  private var phases: [ComparedFigure] {
    CallPhase.allCases.filter { $0 != .total }.flatMap { phase -> [ComparedFigure] in
      let pair = [before, after].map { $0.phases.first { $0.phase == phase }?.latency }
      guard let first = pair[0], let second = pair[1] else { return [] }
      return [("p50", 0.5), ("p99", 0.99)].map { name, share in
        byCounts("\(phase.title) \(name)", share, first, second)
      }
    }
  }

  private func byCounts(
    _ name: String, _ share: Double, _ first: LatencyHistogram, _ second: LatencyHistogram
  ) -> ComparedFigure {
    var isSure: Bool?
    if let one = first.interval(share), let other = second.interval(share) {
      isSure = !one.overlaps(other)
    }
    return ComparedFigure(
      name, .microseconds, first.percentile(share).map { Double($0) / 1e3 },
      second.percentile(share).map { Double($0) / 1e3 }, wish: .less, isSure: isSure)
  }

  private var delivered: ComparedFigure {
    func share(_ report: LoadReport) -> Double? {
      report.series.contains { $0.planned != nil } ? report.delivery.delivered : nil
    }
    return overTime("delivered", .share, share(before), share(after), wish: .more) { second in
      second.planned.map { $0 > 0 ? Double(second.ok) / Double($0) : 1 }
    }
  }

  private var serverCPU: ComparedFigure {
    func perCall(_ report: LoadReport) -> Double? {
      guard let server = report.server, report.calls.ok > 0 else { return nil }
      return Double(server.cpuNanoseconds) / 1e3 / Double(report.calls.ok)
    }
    return overTime(
      "server CPU per call", .microseconds, perCall(before), perCall(after), wish: .less
    ) { second in
      second.ok > 0 ? second.serverCores.map { $0 * 1e6 / Double(second.ok) } : nil
    }
  }

  private var serverCores: ComparedFigure {
    overTime(
      "server cores", .cores, cores(before.server, before), cores(after.server, after),
      wish: .none
    ) { $0.serverCores }
  }

  private var clientCores: ComparedFigure {
    overTime(
      "generator cores", .cores, cores(before.client, before), cores(after.client, after),
      wish: .none
    ) { $0.clientCores }
  }

  private func cores(_ process: ProcessFigures?, _ report: LoadReport) -> Double? {
    guard let process, report.seconds > 0 else { return nil }
    return Double(process.cpuNanoseconds) / 1e9 / report.seconds
  }

  /// Memory only moves slowly, so its seconds are no sample: more than noise is what lies wholly
  /// outside of what the other run had at any time, and by a tenth. A server that has been
  /// loaded before has a little more.
  private var memory: ComparedFigure {
    let values = [before, after].map { $0.server?.residentBytes.map { Double($0) } }
    let ranges = [before, after].map { report in
      measured(report) { $0.serverResidentBytes.map { Double($0) } }
    }
    var isSure: Bool?
    if let low = ranges[0].min(), let high = ranges[0].max(), let least = ranges[1].min(),
      let most = ranges[1].max(), ranges.allSatisfy({ $0.count >= RankTest.fewest })
    {
      isSure = least > high * 1.1 || most * 1.1 < low
    }
    return ComparedFigure(
      "server memory", .bytes, values[0], values[1], wish: .less, isSure: isSure)
  }

  private func overTime(
    _ name: String, _ unit: ComparedFigure.Unit, _ first: Double?, _ second: Double?,
    wish: ComparedFigure.Wish, _ figure: (SecondFigures) -> Double?
  ) -> ComparedFigure {
    let values = (measured(before, figure), measured(after, figure))
    let test = RankTest(values.0, values.1)
    // A single second can turn the whole run's figure the other way.
    let isAligned = (median(values.1) - median(values.0)) * ((second ?? 0) - (first ?? 0)) > 0
    return ComparedFigure(
      name, unit, first, second, wish: wish,
      isSure: test.map { $0.probability < RankTest.significant && isAligned },
      probability: test?.probability)
  }

  private func median(_ values: [Double]) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }

  private func measured(
    _ report: LoadReport, _ figure: (SecondFigures) -> Double?
  ) -> [Double] {
    report.series.whole.filter(\.isMeasured).compactMap(figure)
  }
}
