import LoadGenerator
import LoadReporting
import Synchronization

/// How late things were; to be added to from anywhere.
final class LatenessRecord: Sendable {
  private let histogram = Mutex(LatencyHistogram())

  /// Adds one; what came early counts as in time.
  func add(nanoseconds: Int64) {
    histogram.withLock { $0.record(UInt64(max(0, nanoseconds))) }
  }

  /// As JSON, in microseconds.
  var json: String {
    let histogram = histogram.withLock { $0 }
    func microseconds(_ nanoseconds: UInt64?) -> String {
      nanoseconds.map { "\(Double($0) / 1000)" } ?? "null"
    }
    return """
      {"count":\(histogram.count),"p50_us":\(microseconds(histogram.percentile(0.5))),\
      "p99_us":\(microseconds(histogram.percentile(0.99))),"max_us":\(microseconds(histogram.max))}
      """
  }
}
