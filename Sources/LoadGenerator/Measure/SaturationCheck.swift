import LoadReporting

/// Whether the generator itself was the limit of a run: then its figures say little about the
/// server.
struct SaturationCheck {
  /// From which share of what it may use on a thread counts as busy.
  static let busy = 0.95

  /// For which share of the window it has to be busy, to have been the limit.
  static let mostOfTheWindow = 0.5

  /// The schedule lag, of the loop alone, that the 99th percentile may have, in nanoseconds.
  static let longestLag: UInt64 = 10_000_000

  /// Calls have planned starts. Without them a busy generator is a remark: each call is still
  /// measured from its own begin.
  var isPaced: Bool

  /// How busy the busiest loop's thread was, second by second, from 0 to 1.
  var busiest: [Double]

  /// From the planned start of each call to when its loop came to look at it. The server has no
  /// part in it.
  var lag: LatencyHistogram

  /// What the whole process used, in cores.
  var processCores: Double
  var usableCores: Int
  var loops: Int

  /// Why it was the limit; empty: it wasn't.
  var reasons: [String] {
    isPaced ? busyReasons + lagReasons : []
  }

  /// What is worth saying without being a verdict.
  var remarks: [String] {
    isPaced ? [] : busyReasons.map { "\($0); latencies include its own delays" }
  }

  private var busyReasons: [String] {
    let count = busiest.count { $0 >= SaturationCheck.busy }
    if count > 0, Double(count) >= SaturationCheck.mostOfTheWindow * Double(busiest.count) {
      return [
        "an event loop of the generator was busy for 95 % or more of \(count) of"
          + " \(busiest.count) s: use more --loops, or more machines"
      ]
    }
    let limit = Double(min(loops, usableCores))
    guard processCores >= SaturationCheck.busy * limit, usableCores < loops else { return [] }
    return [
      "the generator used \(rounded(processCores, places: 2)) of the \(usableCores) cores that it"
        + " may use: give it more, or use more machines"
    ]
  }

  private var lagReasons: [String] {
    guard let lag = lag.percentile(0.99), lag > SaturationCheck.longestLag else { return [] }
    return [
      "the generator came to 1 % of the calls more than \(lag / 1_000_000) ms after their planned"
        + " start (limit: 10 ms): lower the --rate, or use more --loops or machines"
    ]
  }
}
