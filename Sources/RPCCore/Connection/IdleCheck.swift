/// Finds out that a connection has had no call for a while, at the cost of one store a call.
///
/// It looks once in every interval: a connection without a call since the last look, and with none
/// now, is idle. So it is found after one to two intervals.
struct IdleCheck {
  private let interval: Int64
  /// When to look next.
  private(set) var next: MonotonicInstant
  private var wasUsed = false

  /// Nil: a connection may be idle for ever.
  init(_ interval: Duration?, now: MonotonicInstant) {
    self.interval = interval.map { max(1, $0.saturatedNanoseconds) } ?? .max
    next = now.advanced(byNanoseconds: self.interval)
  }

  /// A call came.
  mutating func callCame() {
    wasUsed = true
  }

  /// Whether the connection is idle. To be asked from time to time, at `next` at the latest.
  mutating func isIdle(_ now: MonotonicInstant, hasCalls: Bool) -> Bool {
    guard next <= now, interval != .max else { return false }
    guard hasCalls || wasUsed else {
      next = .distantFuture
      return true
    }
    wasUsed = hasCalls
    next = now.advanced(byNanoseconds: interval)
    return false
  }
}
