/// A condition under which a run fails: `p99 > 10ms`.
public struct Threshold: Sendable, Equatable {
  /// How a figure is compared with the limit.
  public enum Comparison: String, Sendable {
    case above = ">"
    case atLeast = ">="
    case below = "<"
    case atMost = "<="

    func holds(_ figure: Double, _ limit: Double) -> Bool {
      switch self {
      case .above: figure > limit
      case .atLeast: figure >= limit
      case .below: figure < limit
      case .atMost: figure <= limit
      }
    }
  }

  /// As it was written.
  public let text: String

  let figure: ThresholdFigure
  let comparison: Comparison

  /// In the unit that the figure is counted in: microseconds, shares of 1, bytes, or pieces.
  let limit: Double

  /// Whether the limit is a share, of figures that are a count as well as one.
  let isShare: Bool

  init(
    text: String, figure: ThresholdFigure, comparison: Comparison, limit: Double, isShare: Bool
  ) {
    self.text = text
    self.figure = figure
    self.comparison = comparison
    self.limit = limit
    self.isShare = isShare
  }

  /// Looks at the figure in a report. One that isn't there counts as crossed: a run that can't
  /// show what was asked of it doesn't pass.
  public func evaluate(_ report: LoadReport) -> ThresholdResult {
    guard let value = figure.value(in: report, asShare: isShare) else {
      return ThresholdResult(text: text, actual: nil, isCrossed: true)
    }
    return ThresholdResult(
      text: text, actual: figure.unit(asShare: isShare).wording(value),
      isCrossed: comparison.holds(value, limit))
  }
}

/// What a threshold's figure is counted in.
enum ThresholdUnit {
  case time, share, bytes, rate, count

  /// The suffixes that are permitted, and how much each is. The empty one is a plain number.
  var suffixes: [(name: String, factor: Double)] {
    switch self {
    case .time: [("ns", 1e-3), ("us", 1), ("µs", 1), ("ms", 1e3), ("s", 1e6)]
    case .share: [("%", 0.01)]
    case .bytes: [("KiB", 1024), ("MiB", 1_048_576), ("GiB", 1_073_741_824), ("B", 1)]
    case .rate: [("/s", 1), ("", 1)]
    case .count: [("", 1)]
    }
  }

  /// As the end of "expected …".
  var expectation: String {
    switch self {
    case .time: "a time as in 10ms (ns, us, ms or s)"
    case .share: "a share as in 0.1%"
    case .bytes: "a size as in 64MiB (B, KiB, MiB or GiB)"
    case .rate: "calls per second as in 1000"
    case .count: "a number as in 100"
    }
  }

  func wording(_ value: Double) -> String {
    switch self {
    case .time: Wording.time(microseconds: value)
    case .share: Wording.percent(value)
    case .bytes: Wording.memory(bytes: value)
    case .rate: "\(Wording.digits(value))/s"
    case .count: Wording.grouped(Int(value))
    }
  }
}
