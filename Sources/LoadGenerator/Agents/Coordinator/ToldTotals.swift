import LoadReporting

/// What an agent has told of its load, second by second: all that there is to report of one that is
/// lost.
struct ToldTotals: Sendable {
  private(set) var calls = CallFigures()
  private(set) var load = LoadFigures()
  private(set) var connectionsOpened = 0
  private(set) var cpuNanoseconds: UInt64 = 0

  /// How many seconds it has told, and how many of them were measured.
  private(set) var seconds = 0
  private(set) var measuredSeconds = 0

  private var hasPlan = false

  /// Adds its next second.
  mutating func add(_ second: ToldSecond) {
    let figures = second.figures
    seconds += 1
    connectionsOpened += figures.connectionsOpened
    calls.failed += figures.failed
    if figures.isMeasured {
      addMeasured(figures, second.latency)
    } else {
      calls.okOutside += figures.ok
    }
    // Nobody will know what became of those that were under way: they aren't counted at all.
    calls.sent = calls.ok + calls.okOutside + calls.failed
  }

  private mutating func addMeasured(_ figures: SecondFigures, _ latency: LatencyHistogram) {
    measuredSeconds += 1
    calls.ok += figures.ok
    calls.latency.merge(latency)
    calls.latencyWithErrors.merge(latency)
    load.ok += figures.ok
    load.completed += figures.ok + figures.failed
    load.sent = load.completed
    load.skipped += figures.skipped
    hasPlan = hasPlan || figures.planned != nil
    load.planned = hasPlan ? load.planned + (figures.planned ?? 0) : load.sent
    load.inFlightMax = max(load.inFlightMax, figures.inFlight)
    // A second of so many cores.
    cpuNanoseconds += UInt64(min(1e15, max(0, figures.clientCores * 1e9)))
  }
}
