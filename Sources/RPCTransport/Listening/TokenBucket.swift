import RPCCore

/// So many events a second, with a second's worth of them at once.
struct TokenBucket: Sendable {
  /// Nanoseconds that one event takes; 0: there is no limit.
  private let interval: Int64
  private let burst: Int64
  /// The instant up to which the events so far have used the rate up.
  private var usedUntil = MonotonicInstant(nanoseconds: .min)

  /// - Parameter rate: Events a second; 0: any number.
  init(rate: Int) {
    interval = rate > 0 ? max(1, 1_000_000_000 / Int64(rate)) : 0
    burst = max(interval, 1_000_000_000)
  }

  /// When the next event may be: now, or an instant to come.
  func next(_ now: MonotonicInstant) -> MonotonicInstant {
    guard interval > 0 else { return now }
    let free = usedUntil.advanced(byNanoseconds: interval - burst)
    return max(free, now)
  }

  /// Takes an event into account, whether or not it was due.
  mutating func take(_ now: MonotonicInstant) {
    usedUntil = max(usedUntil, now).advanced(byNanoseconds: interval)
  }
}
