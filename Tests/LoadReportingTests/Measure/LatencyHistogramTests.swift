import Testing

@testable import LoadReporting

@Suite struct LatencyHistogramTests {
  private func histogram(_ values: [UInt64]) -> LatencyHistogram {
    var histogram = LatencyHistogram()
    for value in values { histogram.record(value) }
    return histogram
  }

  /// Nearest rank, from the sorted values.
  private func exact(_ values: [UInt64], _ share: Double) -> UInt64 {
    let rank = max(1, Int((share * Double(values.count) - 1e-9).rounded(.up)))
    return values.sorted()[min(rank, values.count) - 1]
  }

  private static let shares = [0, 0.001, 0.1, 0.25, 0.5, 0.9, 0.99, 0.999, 0.9999, 1]

  @Test func withoutValuesThereAreNoPercentiles() {
    let empty = LatencyHistogram()
    #expect(empty.percentile(0.5) == nil)
    #expect(empty.mean == nil)
    #expect(empty.min == 0 && empty.max == 0 && empty.count == 0)
    #expect(empty.buckets.isEmpty)
  }

  @Test(
    arguments: [
      [1_234_567], [987_654_321, 3], [1, 2], [5, 5], [1_000_003, 77_777_777, 3_333_333_331],
      [9, 9, 1_234_567_890], [3, 1_234_567_891, 1_234_567_893],
    ] as [[UInt64]])
  func percentilesOfUpToThreeValuesAreExact(_ values: [UInt64]) {
    let histogram = histogram(values)
    for share in LatencyHistogramTests.shares + [1.0 / 3, 2.0 / 3] {
      #expect(histogram.percentile(share) == exact(values, share), "share \(share)")
    }
  }

  @Test(arguments: 1...8)
  func percentilesAreWithinOnePercent(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let values = (0..<Int.random(in: 4...20_000, using: &random)).map { _ in
      UInt64.random(in: 0...(1 << UInt64.random(in: 1...45, using: &random)), using: &random)
    }
    let histogram = histogram(values)
    #expect(histogram.count == UInt64(values.count))
    #expect(histogram.min == values.min())
    #expect(histogram.max == values.max())
    for share in LatencyHistogramTests.shares {
      let wanted = Double(exact(values, share))
      let given = Double(histogram.percentile(share) ?? 0)
      #expect(abs(given - wanted) <= wanted * 0.005 + 0.5, "share \(share)")
    }
  }

  @Test func aFractionThatIsNotExactInBinaryTakesTheRightRank() {
    let histogram = histogram(Array(1...100))
    for percent in 1...100 {
      #expect(histogram.percentile(Double(percent) / 100) == UInt64(percent))
    }
    #expect(histogram.percentile(2) == 100)
    #expect(histogram.percentile(-1) == 1)
  }

  @Test func bucketsCoverAllValuesWithoutGapOrOverlap() {
    var next: UInt64 = 0
    for index in 0..<LatencyHistogram.bucketCount {
      let range = LatencyHistogram.values(ofBucket: index)
      #expect(range.lowerBound == next)
      #expect(LatencyHistogram.bucket(of: range.lowerBound) == index)
      #expect(LatencyHistogram.bucket(of: range.upperBound) == index)
      next = range.upperBound + 1
    }
    #expect(next == 1 << 63)
  }

  @Test func hugeValuesAreKept() {
    let histogram = histogram([.max, 1, 2, 3])
    #expect(histogram.max == UInt64(Int64.max))
    #expect(histogram.percentile(1) == UInt64(Int64.max))
  }

  @Test func mergingIsExact() {
    var random = SeededRandom(seed: 3)
    let values = (0..<5000).map { _ in UInt64.random(in: 0...1_000_000_000, using: &random) }
    var merged = LatencyHistogram()
    for start in stride(from: 0, to: values.count, by: 613) {
      merged.merge(histogram(Array(values[start..<min(start + 613, values.count)])))
    }
    #expect(merged == histogram(values))
    merged.merge(LatencyHistogram())
    #expect(merged == histogram(values))
  }

  @Test func meanAndResetAndBuckets() {
    var histogram = histogram([100, 200, 300, 400])
    #expect(histogram.mean == 250)
    #expect(histogram.buckets.reduce(0) { $0 + $1.count } == 4)
    histogram.reset()
    #expect(histogram == LatencyHistogram())
  }
}
