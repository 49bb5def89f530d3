/// Ends a connection that has lived for long enough: first a drain, and, if calls are still open
/// after a grace time, a close.
///
/// Servers whose connections never end can't be balanced anew: whoever connected first has the load
/// for ever. The age varies by a tenth, so that connections that began together don't end together.
struct ConnectionAge {
  /// What is due.
  enum Step: Equatable {
    case nothing
    /// The connection has its age: drain it.
    case drain
    /// The grace time is over.
    case close
  }

  private let grace: Int64
  private var hasGrownOld = false
  /// When something is due next.
  private(set) var next: MonotonicInstant

  /// - Parameters:
  ///   - maximum: The age; nil: none.
  ///   - grace: How long calls may go on afterwards; nil: for ever.
  ///   - jitter: From −1, a tenth less, to 1, a tenth more.
  init(_ maximum: Duration?, grace: Duration?, jitter: Double, now: MonotonicInstant) {
    self.grace = grace?.saturatedNanoseconds ?? .max
    guard let maximum = maximum?.saturatedNanoseconds else {
      next = .distantFuture
      return
    }
    let shift = Int64(Double(maximum / 10) * max(-1, min(1, jitter)))
    let (age, overflow) = maximum.addingReportingOverflow(shift)
    next = now.advanced(byNanoseconds: overflow ? .max : max(1, age))
  }

  /// Moves on when it is time to. To be asked at `next` at the latest.
  mutating func step(_ now: MonotonicInstant) -> Step {
    guard next <= now, next != .distantFuture else { return .nothing }
    guard !hasGrownOld else {
      next = .distantFuture
      return .close
    }
    hasGrownOld = true
    next = now.advanced(byNanoseconds: grace)
    return .drain
  }
}
