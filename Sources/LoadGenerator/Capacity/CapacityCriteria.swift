public import LoadReporting

/// When a rate holds.
public struct CapacityCriteria: Sendable, Equatable {
  /// The share of the calls whose latency has to keep the limit: 0.99; 1 is the slowest call.
  public var share: Double

  /// The limit of their latency from the planned start, in nanoseconds.
  public var latency: UInt64

  /// The share of the calls that may fail.
  public var errors = 0.001

  /// The share of the planned calls that has to be answered rightly.
  public var delivered = 0.99

  /// What the text of a latency has to be like.
  public static let expectation = "pN<TIME or max<TIME, as in p99<10ms or p99.9<50ms"

  /// Criteria.
  public init(share: Double, latency: UInt64) {
    self.share = share
    self.latency = latency
  }

  /// Reads `p99<10ms`, `p99.9 < 0.5s` or `max<1s`; nil: it isn't like that.
  public init?(text: String) {
    let sides = text.split(separator: "<", omittingEmptySubsequences: false)
    guard sides.count == 2, let time = PlanText.time(CapacityCriteria.trimmed(sides[1])),
      time > .zero
    else { return nil }
    let name = CapacityCriteria.trimmed(sides[0])
    if name == "max" {
      self.init(share: 1, latency: time.inNanoseconds)
      return
    }
    guard name.hasPrefix("p"), let percent = PlanText.number(name.dropFirst()), percent > 0,
      percent <= 100
    else { return nil }
    self.init(share: percent / 100, latency: time.inNanoseconds)
  }

  private static func trimmed(_ text: Substring) -> Substring {
    let start = text.drop { $0 == " " }
    return start[
      ..<(start.lastIndex { $0 != " " }.map { start.index(after: $0) } ?? start.startIndex)]
  }

  /// As it is written: "p99 < 10 ms".
  public var text: String {
    let name = share == 1 ? "max" : "p\(rounded(share * 100, places: 3))"
    return "\(name) < \(rounded(Double(latency) / 1e6, places: 3)) ms"
  }

  /// Why a run doesn't keep them; empty: it does.
  public func problems(of report: LoadReport) -> [String] {
    var problems: [String] = []
    guard report.calls.ok > 0, let actual = report.calls.latency.percentile(share) else {
      return ["no call was answered rightly"]
    }
    if actual >= latency {
      let name = share == 1 ? "max" : "p\(rounded(share * 100, places: 3))"
      problems.append("\(name) was \(rounded(Double(actual) / 1e6, places: 2)) ms")
    }
    let wrong = report.calls.failed + report.calls.unanswered
    let part = Double(wrong) / Double(max(1, report.calls.sent))
    if part > errors { problems.append("\(rounded(part * 100, places: 3)) % failed") }
    if report.delivery.delivered < delivered {
      problems.append("\(rounded(report.delivery.delivered * 100, places: 1)) % were delivered")
    }
    if report.checks.contains(where: { $0.violations > 0 }) {
      problems.append("a check found wrong answers")
    }
    return problems
  }
}
