import Glibc

/// Whether two series of seconds differ by more than the seconds in each of them do: the test of
/// Mann and Whitney, with ties, and widened where neighbouring seconds resemble each other.
struct RankTest {
  /// With fewer seconds on either side nothing is said.
  static let fewest = 8

  /// How likely a difference like this would be if there was none; two-sided.
  let probability: Double

  /// Below this a difference is taken to be more than noise. A comparison looks at a dozen figures:
  /// of a hundred comparisons of equal servers about one finds something.
  static let significant = 0.001

  /// - Returns: nil if there are too few values.
  init?(_ before: [Double], _ after: [Double]) {
    guard before.count >= RankTest.fewest, after.count >= RankTest.fewest else { return nil }
    let (ranks, ties) = RankTest.ranks(before + after)
    let (first, second) = (Double(before.count), Double(after.count))
    let all = first + second
    let sum = ranks.prefix(before.count).reduce(0, +)
    let surplus = sum - first * (first + 1) / 2 - first * second / 2
    let spread = first * second / 12 * (all + 1 - ties / (all * (all - 1)))
    let likeness = RankTest.likeness([
      Array(ranks.prefix(before.count)), Array(ranks.dropFirst(before.count)),
    ])
    let variance = spread * (1 + likeness) / (1 - likeness)
    guard variance > 0 else {
      // All values are the same.
      probability = 1
      return
    }
    let distance = max(0, abs(surplus) - 0.5) / variance.squareRoot()
    probability = erfc(distance / 2.0.squareRoot())
  }

  /// The place of each value in order, from 1, equal ones sharing theirs; and Σ(t³ − t) of the
  /// ties.
  private static func ranks(_ values: [Double]) -> (ranks: [Double], ties: Double) {
    let order = values.indices.sorted { values[$0] < values[$1] }
    var ranks = [Double](repeating: 0, count: values.count)
    var ties = 0.0
    var start = 0
    while start < order.count {
      var end = start + 1
      while end < order.count, values[order[end]] == values[order[start]] { end += 1 }
      let size = Double(end - start)
      for place in start..<end { ranks[order[place]] = Double(start + end + 1) / 2 }
      ties += size * size * size - size
      start = end
    }
    return (ranks, ties)
  }

  /// How much each second resembles the one before: the autocorrelation inside the groups, from 0
  /// to
  /// 0.95.
  private static func likeness(_ groups: [[Double]]) -> Double {
    var together = 0.0
    var spread = 0.0
    for group in groups {
      let mean = group.reduce(0, +) / Double(group.count)
      for value in group { spread += (value - mean) * (value - mean) }
      for (value, next) in zip(group, group.dropFirst()) {
        together += (value - mean) * (next - mean)
      }
    }
    return spread > 0 ? min(0.95, max(0, together / spread)) : 0
  }
}

extension LatencyHistogram {
  /// Between which values a percentile lies, as far as this many calls can tell.
  ///
  /// Calls that come close together share their fate, so that ten count as one.
  ///
  /// - Returns: nil if there are too few values beyond it.
  func interval(_ share: Double) -> ClosedRange<UInt64>? {
    let weight = Double(count) / 10
    guard weight > 0 else { return nil }
    let margin = 3.29 * (share * (1 - share) / weight).squareRoot()
    guard share + margin < 1, share > margin,
      let low = percentile(share - margin), let high = percentile(share + margin)
    else { return nil }
    return low...high
  }
}
