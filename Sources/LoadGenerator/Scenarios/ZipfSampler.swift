import Glibc
import LoadReporting

/// Draws ranks by Zipf's law: of `count` ranks, rank k comes with a probability that is
/// proportional to 1 ÷ k^exponent. The distribution is exact, and neither memory nor time grow with
/// the count.
///
/// A point under the curve x^−exponent is drawn by the inverse of the area under it; its nearest
/// rank is taken if the point is under that rank's step, too, which it mostly is. Else another one
/// is drawn.
struct ZipfSampler: Sendable {
  /// How many ranks there are, from 1.
  let count: UInt64

  /// 0: all ranks are equally likely; the larger, the hotter the first ones.
  let exponent: Double

  /// The areas that points are drawn from.
  private let areas: (first: Double, last: Double)

  /// A point that is at most so far below its rank is under the rank's step for sure.
  private let margin: Double

  /// - Parameters:
  ///   - count: at least 1.
  ///   - exponent: 0 or more.
  init(count: UInt64, exponent: Double) {
    self.count = max(1, count)
    self.exponent = max(0, exponent)
    let curve = Curve(exponent: self.exponent)
    areas = (curve.area(to: 1.5) - 1, curve.area(to: Double(self.count) + 0.5))
    margin = 2 - curve.point(ofArea: curve.area(to: 2.5) - curve.height(at: 2))
  }

  /// A rank, from 1.
  func draw(_ random: inout SeededRandom) -> UInt64 {
    let curve = Curve(exponent: exponent)
    while true {
      let share = Double(random.next() >> 11) * 0x1p-53
      let area = areas.last + share * (areas.first - areas.last)
      let point = curve.point(ofArea: area)
      let rank = min(max(1, point.rounded()), Double(count))
      if rank - point <= margin || area >= curve.area(to: rank + 0.5) - curve.height(at: rank) {
        return UInt64(rank)
      }
    }
  }

  /// The curve x^−exponent.
  private struct Curve {
    let exponent: Double

    func height(at point: Double) -> Double { exp(-exponent * log(point)) }

    /// From 1 on; negative before it.
    func area(to point: Double) -> Double {
      let logarithm = log(point)
      let power = (1 - exponent) * logarithm
      // The limit at an exponent of 1; near it the quotient would lose its digits.
      return abs(power) < 1e-8 ? logarithm * (1 + power / 2) : logarithm * expm1(power) / power
    }

    func point(ofArea area: Double) -> Double {
      let power = max(-1, area * (1 - exponent))
      let logarithm = abs(power) < 1e-8 ? area * (1 - power / 2) : area * log1p(power) / power
      return exp(logarithm)
    }
  }
}
