/// Looks for the highest rate that holds: which rate to probe next, from how the probes before
/// went.
///
/// A value without a clock or a server. It doubles the rate until a probe fails, halves the gap
/// until it is small, and then probes both ends of the gap again, since one probe says little about
/// a rate near the limit. A rate holds if most of its probes passed; with as many that failed it
/// doesn't.
public struct CapacitySearch: Sendable {
  /// Where and how closely it looks.
  public struct Limits: Sendable, Equatable {
    /// Calls per second of the first probe.
    public var from = 100.0

    /// The highest rate that is probed.
    public var to = 1_000_000.0

    /// It is content when the rate that fails is higher than the one that holds by this part of it.
    public var precision = 0.05

    /// Probes of each of the two rates before it ends; 3 or more can outvote a stray one.
    public var votes = 3

    /// It ends after so many probes in any case.
    public var mostProbes = 40

    /// The defaults.
    public init() {}
  }

  /// How often a rate was probed, and how that went.
  public struct Votes: Sendable, Equatable {
    /// In calls per second.
    public let rate: Double

    /// Probes that passed.
    public internal(set) var passed = 0

    /// Probes that failed.
    public internal(set) var failed = 0

    /// All probes.
    public var count: Int { passed + failed }

    /// Whether the rate holds.
    public var holds: Bool { passed > failed }

    /// Whether all probes went the same way.
    public var isUnanimous: Bool { passed == 0 || failed == 0 }
  }

  /// Where and how closely it looks.
  public let limits: Limits

  /// Rates that were probed, in rising order.
  public private(set) var rates: [Votes] = []

  /// A search that hasn't begun.
  public init(_ limits: Limits) {
    self.limits = limits
  }

  /// How many probes were made.
  public var probes: Int { rates.reduce(0) { $0 + $1.count } }

  /// The lowest rate that doesn't hold; nil: all did.
  public var lowestFailing: Votes? { rates.first { !$0.holds } }

  /// The highest rate that holds, below those that don't; nil: none did.
  public var highestPassing: Votes? {
    let limit = lowestFailing?.rate ?? .infinity
    return rates.last { $0.holds && $0.rate < limit }
  }

  /// The rate to probe next; nil: the search is over.
  public func next() -> Double? {
    guard probes < limits.mostProbes else { return nil }
    switch (highestPassing, lowestFailing) {
    case (nil, nil): return limits.from
    case (let low?, nil):
      if low.rate < limits.to { return min(low.rate * 2, limits.to) }
      return low.count < limits.votes ? low.rate : nil
    case (nil, let high?): return below(high)
    case (let low?, let high?): return between(low, high)
    }
  }

  /// Notes how a probe went.
  public mutating func record(_ rate: Double, passed: Bool) {
    var place = rates.firstIndex { $0.rate >= rate } ?? rates.count
    if place == rates.count || rates[place].rate != rate {
      rates.insert(Votes(rate: rate), at: place)
      place = rates.firstIndex { $0.rate == rate } ?? place
    }
    if passed { rates[place].passed += 1 } else { rates[place].failed += 1 }
  }

  private func below(_ high: Votes) -> Double? {
    let half = CapacitySearch.rounded(high.rate / 2)
    guard half >= min(1, limits.from / 64), half < high.rate else {
      return high.count < limits.votes ? high.rate : nil
    }
    return half
  }

  private func between(_ low: Votes, _ high: Votes) -> Double? {
    let middle = CapacitySearch.rounded((low.rate + high.rate) / 2)
    if high.rate - low.rate > limits.precision * low.rate, middle > low.rate, middle < high.rate {
      return middle
    }
    if low.count < limits.votes { return low.rate }
    return high.count < limits.votes ? high.rate : nil
  }

  /// To four digits: a rate that people can say, and close enough.
  static func rounded(_ rate: Double) -> Double {
    var unit = 1.0
    while rate / unit >= 10_000 { unit *= 10 }
    while rate / unit < 1000 { unit /= 10 }
    return (rate / unit).rounded() * unit
  }
}
