extension MonotonicInstant: InstantProtocol {
  /// The instant `duration` later, stopping at the ends of the range.
  public func advanced(by duration: Duration) -> MonotonicInstant {
    advanced(byNanoseconds: duration.saturatedNanoseconds)
  }

  /// The time from this instant to `other`; negative when `other` is earlier.
  public func duration(to other: MonotonicInstant) -> Duration {
    .nanoseconds(other.nanoseconds(since: self))
  }
}

extension Duration {
  /// The duration in whole nanoseconds, stopping at the ends of Int64 (±292 years).
  public var saturatedNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return seconds > 0 ? .max : .min }
    let (sum, carry) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
    guard !carry else { return seconds > 0 ? .max : .min }
    return sum
  }
}
