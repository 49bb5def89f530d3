import RPCCore

/// A deadline policy in nanoseconds: a Duration takes a division of 128 bits to become that, which
/// is too much for every call.
struct DeadlineClamp: Sendable {
  private let fallback: Int64
  private let maximum: Int64

  init(_ policy: DeadlinePolicy) {
    fallback = policy.fallback?.saturatedNanoseconds ?? .max
    maximum = policy.maximum?.saturatedNanoseconds ?? .max
  }

  /// When a call that takes one request has to be answered.
  func deadline(_ timeoutMicroseconds: UInt64?, received: MonotonicInstant) -> MonotonicInstant {
    var nanoseconds = fallback
    if let timeoutMicroseconds {
      let (scaled, overflow) = timeoutMicroseconds.multipliedReportingOverflow(by: 1000)
      nanoseconds = overflow ? .max : Int64(clamping: scaled)
    }
    nanoseconds = min(nanoseconds, maximum)
    return nanoseconds == .max ? .distantFuture : received.advanced(byNanoseconds: nanoseconds)
  }
}
