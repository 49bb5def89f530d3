import RPCCore

/// Notices that a pool has had no calls for a while, by looking at it from time to time: nothing is
/// noted for each call.
package struct IdleWatch: Sendable {
  private let timeout: Int64
  private var activity = -1
  private var idleSince = MonotonicInstant(nanoseconds: .min)

  package init(timeout: Duration) { self.timeout = max(1, timeout.saturatedNanoseconds) }

  /// How often to look, so that the idle time is met to a quarter.
  package var interval: Duration { .nanoseconds(max(1, timeout / 4)) }

  /// Takes a look.
  ///
  /// - Parameters:
  ///   - activity: A count that each call raises.
  ///   - isBusy: Whether calls wait or are under way.
  /// - Returns: True when there was no call for as long as the timeout.
  package mutating func sample(activity: Int, isBusy: Bool, now: MonotonicInstant) -> Bool {
    guard !isBusy, activity == self.activity else {
      self.activity = activity
      idleSince = now
      return false
    }
    return now.nanoseconds(since: idleSince) >= timeout
  }
}

/// How long a connection is used before another one takes its place.
package struct ConnectionAge: Sendable {
  private let maximum: Duration?
  private let jitter: Double

  package init(maximum: Duration?, jitter: Double) {
    self.maximum = maximum
    self.jitter = min(1, max(0, jitter))
  }

  /// When a connection is to be replaced that was made at `opened`.
  ///
  /// - Parameter random: In 0..<1; 0.5 gives the age without spread.
  package func end(opened: MonotonicInstant, random: Double) -> MonotonicInstant {
    guard let maximum else { return .distantFuture }
    return opened.advanced(by: maximum * (1 + jitter * (2 * random - 1)))
  }
}
