import LoadReporting

/// What a search for capacity found.
public struct CapacityResult: Sendable {
  /// The version of the JSON form.
  public static let schema = "onside-load-capacity/1"

  /// One probe.
  public struct Probe: Sendable {
    /// Calls per second that were planned.
    public var rate: Double

    /// Why it failed; empty: it passed.
    public var problems: [String]

    /// Right answers per second.
    public var okPerSecond: Double

    /// The latency that the criteria look at, in nanoseconds; nil: no right answer.
    public var latency: UInt64?

    /// The generator itself was the limit: the probe says little about the server.
    public var isSaturated: Bool
  }

  /// How far the figures can be relied on.
  public enum Confidence: String, Sendable {
    /// Both ends of the interval were probed several times, and all their probes agreed.
    case sure

    /// Most probes of both ends agreed.
    case fair

    /// There is only one end, or too few probes of one.
    case low
  }

  /// What was loaded, by which criteria.
  public var scenario: String

  /// When a rate holds.
  public var criteria: CapacityCriteria

  /// In the order in which they were made.
  public var probes: [Probe] = []

  /// The search's end.
  public var search: CapacitySearch

  /// Somebody stopped it.
  public var isInterrupted = false

  /// A search that hasn't begun.
  public init(scenario: String, criteria: CapacityCriteria, limits: CapacitySearch.Limits) {
    self.scenario = scenario
    self.criteria = criteria
    search = CapacitySearch(limits)
  }

  /// The highest rate that holds; nil: none does.
  public var capacity: Double? { search.highestPassing?.rate }

  /// The generator was the limit where a rate didn't hold: the server may be able to do more.
  public var isLimitedByGenerator: Bool {
    guard let high = search.lowestFailing else { return false }
    return probes.contains { $0.rate == high.rate && !$0.problems.isEmpty && $0.isSaturated }
  }

  /// How far the interval can be relied on.
  public var confidence: Confidence {
    guard let low = search.highestPassing, let high = search.lowestFailing,
      low.count >= search.limits.votes, high.count >= search.limits.votes
    else { return .low }
    return low.isUnanimous && high.isUnanimous ? .sure : .fair
  }

  /// Adds a probe.
  mutating func add(_ report: LoadReport, rate: Double) {
    var problems = criteria.problems(of: report)
    let isSaturated = !report.saturation.isEmpty
    if isSaturated { problems.append("the generator was the limit") }
    probes.append(
      Probe(
        rate: rate, problems: problems, okPerSecond: report.okPerSecond,
        latency: report.calls.latency.percentile(criteria.share), isSaturated: isSaturated))
    search.record(rate, passed: problems.isEmpty)
  }
}
