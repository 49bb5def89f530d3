/// The seconds of a run, taken together where there are more than a chart has room for.
struct ReducedSeries {
  static let most = 720

  /// How many seconds one point stands for.
  let width: Int
  let points: [SecondFigures]

  /// - Parameter series: Of a part of a second at its end nothing is shown.
  init(_ series: [SecondFigures]) {
    let series = series.whole
    let width = max(1, (series.count + ReducedSeries.most - 1) / ReducedSeries.most)
    self.width = width
    points = stride(from: 0, to: series.count, by: width).compactMap { start in
      ReducedSeries.together(series[start..<min(start + width, series.count)])
    }
  }

  /// Counts become those of a mean second; of latencies and levels the highest is kept, so that
  /// no peak goes away.
  private static func together(_ part: ArraySlice<SecondFigures>) -> SecondFigures? {
    guard part.count > 1, var all = part.last else { return part.first }
    func mean(_ figure: (SecondFigures) -> Int) -> Int {
      Int((Double(part.reduce(0) { $0 + figure($1) }) / Double(part.count)).rounded())
    }
    func most<Figure: Comparable>(_ figure: (SecondFigures) -> Figure?) -> Figure? {
      part.compactMap(figure).max()
    }
    all.ok = mean(\.ok)
    all.failed = mean(\.failed)
    all.planned = all.planned.map { _ in mean { $0.planned ?? 0 } }
    all.skipped = mean(\.skipped)
    all.connectionsOpened = mean(\.connectionsOpened)
    all.inFlight = most { $0.inFlight } ?? 0
    all.p50 = most { $0.p50 }
    all.p90 = most { $0.p90 }
    all.p99 = most { $0.p99 }
    all.max = most { $0.max }
    all.clientCores = most { $0.clientCores } ?? 0
    all.serverCores = most { $0.serverCores }
    all.serverResidentBytes = most { $0.serverResidentBytes }
    all.serverDescriptors = most { $0.serverDescriptors }
    all.serverContextSwitches = most { $0.serverContextSwitches }
    return all
  }
}

extension [SecondFigures] {
  /// Without the part of a second in which the run ended: its counts and its use of the CPU are
  /// those of moments, and look like a fall and a peak beside those of seconds.
  var whole: [SecondFigures] {
    guard count > 1, self[count - 1].second - self[count - 2].second < 0.5 else { return self }
    return dropLast()
  }
}
