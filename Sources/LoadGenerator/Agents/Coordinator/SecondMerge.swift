import LoadReporting

/// Puts the seconds of several agents together, each as soon as it is complete.
struct SecondMerge: Sendable {
  /// Of each agent: what isn't part of a complete second yet.
  private var waiting: [[ToldSecond]]
  private var isOver: [Bool]

  /// Of each agent: what it has told in all.
  private(set) var totals: [ToldTotals]

  /// What was put together so far.
  private(set) var series: [SecondFigures] = []

  /// - Parameter agents: how many there are.
  init(agents: Int) {
    waiting = Array(repeating: [], count: agents)
    isOver = Array(repeating: false, count: agents)
    totals = Array(repeating: ToldTotals(), count: agents)
  }

  /// An agent's further second.
  mutating func add(_ second: ToldSecond, of agent: Int) {
    waiting[agent].append(second)
    totals[agent].add(second)
  }

  /// No more is to come of an agent.
  mutating func end(_ agent: Int) {
    isOver[agent] = true
  }

  /// The seconds that have become complete since it was last asked.
  ///
  /// - Parameter add: puts into each what else is known of it.
  mutating func takeNew(adding add: (inout SecondFigures) -> Void = { _ in }) -> [SecondFigures] {
    let before = series.count
    while waiting.indices.allSatisfy({ !waiting[$0].isEmpty || isOver[$0] }) {
      let parts = waiting.compactMap(\.first)
      guard !parts.isEmpty else { break }
      for agent in waiting.indices where !waiting[agent].isEmpty { waiting[agent].removeFirst() }
      var second = SecondFigures(merging: parts)
      add(&second)
      series.append(second)
    }
    return Array(series[before...])
  }
}

extension SecondFigures {
  /// The same second of several agents, at least one.
  init(merging parts: [ToldSecond]) {
    var latency = LatencyHistogram()
    for part in parts { latency.merge(part.latency) }
    let figures = parts.map(\.figures)
    self.init(
      second: figures.map(\.second).max() ?? 0,
      isMeasured: figures.contains(where: \.isMeasured),
      ok: figures.reduce(0) { $0 + $1.ok }, failed: figures.reduce(0) { $0 + $1.failed },
      p50: latency.percentile(0.5), p99: latency.percentile(0.99),
      clientCores: figures.reduce(0) { $0 + $1.clientCores })
    let planned = figures.compactMap(\.planned)
    self.planned = planned.isEmpty ? nil : planned.reduce(0, +)
    skipped = figures.reduce(0) { $0 + $1.skipped }
    inFlight = figures.reduce(0) { $0 + $1.inFlight }
    connectionsOpened = figures.reduce(0) { $0 + $1.connectionsOpened }
    p90 = latency.percentile(0.9)
    max = latency.count > 0 ? latency.max : nil
    histogram = PackedHistogram(latency)
  }
}
