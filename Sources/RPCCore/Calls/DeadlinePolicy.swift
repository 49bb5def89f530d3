/// How long a server lets calls run.
public struct DeadlinePolicy: Sendable, Hashable {
  /// For unary and client-streaming calls whose client sent no timeout. Nil: no limit.
  public var fallback: Duration? = .seconds(10)
  /// A longer timeout is cut to this. Nil: no limit.
  public var maximum: Duration?

  /// Ten seconds for calls without a timeout, no maximum.
  public init() {}

  /// When a call received at `received` has to be answered; `distantFuture` for never.
  /// - Parameters:
  ///   - timeoutMicroseconds: what the client sent.
  ///   - usesFallback: whether the method is unary or client-streaming.
  public func deadline(
    timeoutMicroseconds: UInt64?, usesFallback: Bool, received: MonotonicInstant
  ) -> MonotonicInstant {
    var nanoseconds = Int64.max
    if let timeoutMicroseconds {
      let (scaled, overflow) = timeoutMicroseconds.multipliedReportingOverflow(by: 1000)
      nanoseconds = overflow ? .max : Int64(clamping: scaled)
    } else if usesFallback, let fallback {
      nanoseconds = fallback.saturatedNanoseconds
    }
    if let maximum { nanoseconds = min(nanoseconds, maximum.saturatedNanoseconds) }
    return nanoseconds == .max ? .distantFuture : received.advanced(byNanoseconds: nanoseconds)
  }

  /// The timeout to send for a call that must be over at `deadline`: microseconds, at least 1, or
  /// nil for none. A call whose deadline has passed must not be sent at all.
  public static func timeoutMicroseconds(
    until deadline: MonotonicInstant, now: MonotonicInstant
  ) -> UInt64? {
    guard deadline != .distantFuture else { return nil }
    return UInt64(clamping: max(1, deadline.nanoseconds(since: now) / 1000))
  }
}
