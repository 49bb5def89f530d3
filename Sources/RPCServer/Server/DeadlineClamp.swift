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

  /// When the single request of a call has to have come whole, whatever time the call itself has: a
  /// call with many responses has no default, and must not wait for its request for ever.
  func requestDeadline(received: MonotonicInstant) -> MonotonicInstant {
    fallback == .max ? .distantFuture : received.advanced(byNanoseconds: fallback)
  }

  /// When a call has to be answered.
  ///
  /// - Parameter hasFallback: Whether a call without a timeout gets the policy's: not one with many
  ///   responses.
  func deadline(
    _ timeoutMicroseconds: UInt64?, hasFallback: Bool, received: MonotonicInstant
  ) -> MonotonicInstant {
    var nanoseconds = Int64.max
    if let timeoutMicroseconds {
      let (scaled, overflow) = timeoutMicroseconds.multipliedReportingOverflow(by: 1000)
      nanoseconds = min(overflow ? .max : Int64(clamping: scaled), maximum)
    } else if hasFallback {
      nanoseconds = min(fallback, maximum)
    }
    return nanoseconds == .max ? .distantFuture : received.advanced(byNanoseconds: nanoseconds)
  }
}
