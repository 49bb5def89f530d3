import Glibc

/// Where values stand along one side of a chart, from 0 to 1, and what is written there.
struct Axis {
  /// A line across the chart, and its label.
  struct Tick: Equatable {
    var place: Double
    var label: String
  }

  let ticks: [Tick]
  private let low: Double
  private let high: Double
  private let isLogarithmic: Bool

  /// From 0 to a round number that no value exceeds.
  static func linear(to largest: Double, label: (Double) -> String) -> Axis {
    let step = roundStep(Swift.max(largest, 1e-9) / 4)
    let count = Swift.max(1, Int((largest / step).rounded(.up)))
    let high = step * Double(count)
    let ticks = (0...count).map { index in
      Tick(place: Double(index) / Double(count), label: label(step * Double(index)))
    }
    return Axis(ticks: ticks, low: 0, high: high, isLogarithmic: false)
  }

  /// Over the decades, or parts of decades, that the values lie in; they are positive.
  static func logarithmic(
    _ smallest: Double, _ largest: Double, label: (Double) -> String
  ) -> Axis {
    let isWide = largest / smallest > 200
    let steps: [Double] = isWide ? [1] : [1, 2, 5]
    var marks: [Double] = []
    var decade = pow(10, floor(log10(smallest)))
    while decade <= largest * 10 {
      marks += steps.map { $0 * decade }
      decade *= 10
    }
    let first = marks.lastIndex { $0 <= smallest * 1.000001 } ?? 0
    let end = marks.firstIndex { $0 >= largest * 0.999999 && $0 > marks[first] } ?? marks.count - 1
    let used = marks[first...end]
    let (low, high) = (log10(marks[first]), log10(marks[end]))
    let ticks = used.map { Tick(place: (log10($0) - low) / (high - low), label: label($0)) }
    return Axis(ticks: ticks, low: low, high: high, isLogarithmic: true)
  }

  /// From the smallest to the largest value, without labels.
  static func logarithmic(from smallest: Double, to largest: Double) -> Axis {
    let (low, high) = (log10(smallest), log10(Swift.max(largest, smallest * 1.01)))
    return Axis(ticks: [], low: low, high: high, isLogarithmic: true)
  }

  /// Seconds of a run.
  static func seconds(to largest: Double) -> Axis {
    let steps: [Double] = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1200, 3600, 7200, 14400, 43200]
    let high = Swift.max(largest, 1)
    let step = steps.first { high / $0 <= 6 } ?? 86_400 * (high / 86_400 / 6).rounded(.up)
    let ticks = stride(from: 0, through: high, by: step).map {
      Tick(place: $0 / high, label: Wording.span(seconds: $0))
    }
    return Axis(ticks: ticks, low: 0, high: high, isLogarithmic: false)
  }

  /// Shares of a whole, stretched towards 1: each nine is as wide as the one before.
  static func nines(_ count: Int) -> Axis {
    let names = ["0%", "90%", "99%", "99.9%", "99.99%", "99.999%", "99.9999%", "99.99999%"]
    let shown = Swift.min(Swift.max(count, 1), names.count - 1)
    var ticks = (0...shown).map { Tick(place: Double($0) / Double(shown), label: names[$0]) }
    ticks.insert(Tick(place: log10(2) / Double(shown), label: "50%"), at: 1)
    return Axis(ticks: ticks, low: 0, high: Double(shown), isLogarithmic: false)
  }

  /// Where a value stands; values outside stand at the edge.
  func place(of value: Double) -> Double {
    let scaled = isLogarithmic ? log10(Swift.max(value, 1e-12)) : value
    return Swift.min(1, Swift.max(0, (scaled - low) / (high - low)))
  }

  private static func roundStep(_ least: Double) -> Double {
    let decade = pow(10, floor(log10(least)))
    return ([1, 2, 2.5, 5, 10].first { $0 * decade >= least * 0.999999 } ?? 10) * decade
  }
}
