/// How long calls took: a log-linear histogram of nanoseconds.
///
/// Each power of two is cut into 128 buckets, so that a value is off by at most 0.4 % (below 256 ns
/// it is exact). Smallest, largest and sum are exact, and with them every percentile of up to three
/// values. Recording doesn't allocate; merging two histograms gives exactly the histogram of all
/// their values.
public struct LatencyHistogram: Sendable, Equatable {
  /// Sub-buckets of a power of two, as a power of two.
  static let precisionBits = 7

  /// Enough for any value of 63 bits.
  static let bucketCount = (63 - precisionBits + 1) << precisionBits

  private var counts: [UInt64]

  /// How many values were recorded.
  public private(set) var count: UInt64 = 0

  /// The smallest value; 0 if there is none.
  public var min: UInt64 { count == 0 ? 0 : smallest }

  /// The largest value; 0 if there is none.
  public private(set) var max: UInt64 = 0

  private var smallest = UInt64.max

  /// Wraps around after 584 years of latency.
  private(set) var sum: UInt64 = 0

  /// An empty histogram (59 KiB).
  public init() {
    counts = [UInt64](repeating: 0, count: LatencyHistogram.bucketCount)
  }

  /// Adds a value. Values beyond 2⁶³−1 ns are recorded as that.
  @inline(__always)
  public mutating func record(_ nanoseconds: UInt64) {
    let value = Swift.min(nanoseconds, UInt64(Int64.max))
    counts[LatencyHistogram.bucket(of: value)] &+= 1
    count &+= 1
    sum &+= value
    if value > max { max = value }
    if value < smallest { smallest = value }
  }

  /// Adds all values of another histogram.
  public mutating func merge(_ other: LatencyHistogram) {
    for index in counts.indices { counts[index] &+= other.counts[index] }
    count &+= other.count
    sum &+= other.sum
    max = Swift.max(max, other.max)
    smallest = Swift.min(smallest, other.smallest)
  }

  /// Forgets all values and keeps the memory.
  public mutating func reset() {
    for index in counts.indices { counts[index] = 0 }
    count = 0
    sum = 0
    max = 0
    smallest = .max
  }

  /// The mean; nil if there is no value.
  public var mean: Double? {
    count == 0 ? nil : Double(sum) / Double(count)
  }

  /// The smallest recorded value that at least `share` of all values don't exceed (nearest rank).
  ///
  /// - Parameter share: 0.5 is the median; 0 gives the smallest and 1 the largest value.
  /// - Returns: nil if there is no value.
  public func percentile(_ share: Double) -> UInt64? {
    guard count > 0 else { return nil }
    // 0.07 × 100 is 7.000000000000001: without the allowance that would be rank 8.
    let exact = share * Double(count)
    let ceiling = (exact - exact * 1e-12).rounded(.up)
    let rank = ceiling >= Double(count) ? count : Swift.max(1, UInt64(Swift.max(0, ceiling)))
    return value(ofRank: rank)
  }

  private func value(ofRank rank: UInt64) -> UInt64 {
    if rank <= 1 { return min }
    if rank >= count { return max }
    if count == 3 { return sum &- min &- max }
    var seen: UInt64 = 0
    for (index, number) in counts.enumerated() where number > 0 {
      seen &+= number
      if seen >= rank {
        let range = LatencyHistogram.values(ofBucket: index)
        let middle = range.lowerBound + (range.upperBound - range.lowerBound) / 2
        return Swift.min(Swift.max(middle, min), max)
      }
    }
    return max
  }

  /// The buckets that hold values, in rising order: the values that fall into each, and how many.
  public var buckets: [(values: ClosedRange<UInt64>, count: UInt64)] {
    counts.enumerated().filter { $0.element > 0 }
      .map { (LatencyHistogram.values(ofBucket: $0.offset), $0.element) }
  }

  /// Index and count of each bucket that holds values, in rising order.
  var filledBuckets: [(index: Int, count: UInt64)] {
    counts.enumerated().filter { $0.element > 0 }.map { ($0.offset, $0.element) }
  }

  /// Fills an empty histogram with what another one had.
  ///
  /// - Returns: false, and it stays empty, if that can't have been one.
  mutating func fill(
    _ pairs: [(index: Int, count: UInt64)], count: UInt64, sum: UInt64, min: UInt64, max: UInt64
  ) -> Bool {
    guard let first = pairs.first?.index, let last = pairs.last?.index,
      first >= 0, last < LatencyHistogram.bucketCount,
      zip(pairs, pairs.dropFirst()).allSatisfy({ $0.index < $1.index }),
      pairs.allSatisfy({ $0.count > 0 }), min <= max,
      LatencyHistogram.values(ofBucket: first).contains(min),
      LatencyHistogram.values(ofBucket: last).contains(max),
      pairs.reduce(0, { $0 &+ $1.count }) == count
    else { return false }
    for pair in pairs { counts[pair.index] = pair.count }
    self.count = count
    self.sum = sum
    smallest = min
    self.max = max
    return true
  }

  @inline(__always)
  static func bucket(of value: UInt64) -> Int {
    let exponent = 63 &- (value | 1).leadingZeroBitCount
    let shift = exponent > precisionBits ? exponent &- precisionBits : 0
    return (shift << precisionBits) &+ Int(truncatingIfNeeded: value &>> UInt64(shift))
  }

  static func values(ofBucket index: Int) -> ClosedRange<UInt64> {
    let shift = UInt64(Swift.max(0, (index >> precisionBits) - 1))
    let lowest = (UInt64(index) - (shift << UInt64(precisionBits))) << shift
    return lowest...(lowest + (1 << shift) - 1)
  }
}
