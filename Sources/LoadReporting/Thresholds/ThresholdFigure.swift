/// What a threshold looks at.
enum ThresholdFigure: Sendable, Equatable {
  /// What is read off a histogram.
  enum Statistic: Sendable, Equatable {
    case min, mean, max

    /// 0.99 of `p99`.
    case percentile(Double)
  }

  /// Of right answers, from the planned start.
  case latency(Statistic)

  /// Of one phase.
  case phase(CallPhase, Statistic)

  /// From the planned start to the begin.
  case lag(Statistic)
  case errors, skipped, late, delivered, resumed, rate
  case serverCPU, clientCPU, serverMemory

  /// Those without a statistic, by the name that they have on the command line.
  static let plain: [(name: String, figure: ThresholdFigure)] = [
    ("errors", .errors), ("skipped", .skipped), ("late", .late), ("delivered", .delivered),
    ("resumed", .resumed), ("rate", .rate), ("server.cpu", .serverCPU),
    ("client.cpu", .clientCPU), ("server.memory", .serverMemory),
  ]

  /// As the end of "expected …".
  static let expectation =
    "p50, p99.9, min, mean or max; those behind \(phases.joined(separator: ", ")) and a point;"
    + " or \(plain.map(\.name).joined(separator: ", "))"

  private static let phases = CallPhase.allCases.map(\.rawValue) + ["lag"]

  /// A figure by its name; nil: there is none of that name.
  init?(_ name: String) {
    if let plain = ThresholdFigure.plain.first(where: { $0.name == name }) {
      self = plain.figure
    } else if let statistic = Statistic(name) {
      self = .latency(statistic)
    } else {
      let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let statistic = Statistic(String(parts[1])) else { return nil }
      if parts[0] == "lag" {
        self = .lag(statistic)
      } else if let phase = CallPhase(rawValue: String(parts[0])) {
        self = .phase(phase, statistic)
      } else {
        return nil
      }
    }
  }

  /// Whether the figure is a count, of which a share is meant if the limit is one.
  var isCount: Bool {
    switch self {
    case .errors, .skipped, .late: true
    default: false
    }
  }

  func unit(asShare: Bool) -> ThresholdUnit {
    switch self {
    case .latency, .phase, .lag, .serverCPU, .clientCPU: .time
    case .errors, .skipped, .late: asShare ? .share : .count
    case .delivered, .resumed: .share
    case .rate: .rate
    case .serverMemory: .bytes
    }
  }

  /// In the figure's unit; nil: the report has none.
  func value(in report: LoadReport, asShare: Bool) -> Double? {
    switch self {
    case .latency(let statistic): return statistic.microseconds(of: report.calls.latency)
    case .phase(let phase, let statistic):
      return report.phases.first { $0.phase == phase }
        .flatMap { statistic.microseconds(of: $0.latency) }
    case .lag(let statistic): return statistic.microseconds(of: report.delivery.lag)
    case .errors:
      let errors = report.calls.failed + report.calls.unanswered
      return asShare ? share(errors, of: report.calls.sent) : Double(errors)
    case .skipped: return planned(report.delivery.skipped, report, asShare)
    case .late: return planned(report.delivery.late, report, asShare)
    case .delivered: return report.delivery.planned > 0 ? report.delivery.delivered : nil
    case .resumed: return report.connections.resumptionRate
    case .rate: return report.seconds > 0 ? report.okPerSecond : nil
    case .serverCPU: return perCall(report.server, report)
    case .clientCPU: return perCall(report.client, report)
    case .serverMemory: return report.server?.residentBytes.map { Double($0) }
    }
  }

  private func planned(_ count: Int, _ report: LoadReport, _ asShare: Bool) -> Double? {
    asShare ? share(count, of: report.delivery.planned) : Double(count)
  }

  private func share(_ part: Int, of all: Int) -> Double? {
    all > 0 ? Double(part) / Double(all) : nil
  }

  private func perCall(_ process: ProcessFigures?, _ report: LoadReport) -> Double? {
    guard let process, report.calls.ok > 0 else { return nil }
    return Double(process.cpuNanoseconds) / 1e3 / Double(report.calls.ok)
  }
}

extension ThresholdFigure.Statistic {
  init?(_ name: String) {
    switch name {
    case "min": self = .min
    case "mean": self = .mean
    case "max": self = .max
    default:
      guard name.first == "p", let percent = plainNumber(name.dropFirst()), percent > 0,
        percent < 100
      else { return nil }
      self = .percentile(percent / 100)
    }
  }

  func microseconds(of latency: LatencyHistogram) -> Double? {
    guard latency.count > 0 else { return nil }
    return switch self {
    case .min: Double(latency.min) / 1e3
    case .mean: latency.mean.map { $0 / 1e3 }
    case .max: Double(latency.max) / 1e3
    case .percentile(let share): latency.percentile(share).map { Double($0) / 1e3 }
    }
  }
}

/// Digits with at most one point between them: no sign, exponent, infinity or NaN.
func plainNumber(_ text: some StringProtocol) -> Double? {
  let isPlain =
    text.utf8.allSatisfy { (48...57).contains($0) || $0 == UInt8(ascii: ".") }
    && text.first != "." && text.last != "."
  guard isPlain, let number = Double(text), number.isFinite else { return nil }
  return number
}
