import RPCCore

/// How often somebody may do something: so many times at once, then once in each interval; what
/// isn't used is saved up again.
///
/// A plain value with the clock as an argument. Memory is bounded as in `AttemptBackoff`: when the
/// young half of the table is full it becomes the old one, and what was in the old one is
/// forgotten.
struct AttemptRate<Key: Hashable & Sendable>: Sendable {
  private let burst: Int64
  private let interval: Int64
  private let capacity: Int

  /// When everything will have been saved up again, in nanoseconds of the monotonic clock.
  private var young: [Key: Int64] = [:]
  private var old: [Key: Int64] = [:]

  /// - Parameters:
  ///   - burst: How many at once; at least 1.
  ///   - interval: One more after each.
  ///   - capacity: The most keys that are remembered.
  init(burst: Int, interval: Duration, capacity: Int) {
    self.burst = Int64(min(max(1, burst), 1_000_000_000))
    self.interval = interval.saturatedNanoseconds
    self.capacity = capacity
  }

  /// How many keys are remembered, never more than the capacity.
  var count: Int { young.count + old.count }

  /// How long this key has to wait yet; nil: it may.
  func wait(_ key: Key, now: MonotonicInstant) -> Duration? {
    guard let full = young[key] ?? old[key] else { return nil }
    let (saved, overflow) = (burst - 1).multipliedReportingOverflow(by: interval)
    let wait = full - now.nanoseconds - (overflow ? .max / 2 : saved)
    return wait > 0 ? .nanoseconds(wait) : nil
  }

  /// Notes that a key did it. Ask `wait` first.
  mutating func note(_ key: Key, now: MonotonicInstant) {
    let full = young[key] ?? old.removeValue(forKey: key) ?? now.nanoseconds
    if young[key] == nil, young.count >= max(1, capacity / 2) {
      old = young
      young = [:]
    }
    young[key] = max(full, now.nanoseconds) + interval
  }

  /// Takes one time of a key back.
  mutating func forgive(_ key: Key) {
    if let full = young[key] { young[key] = full - interval }
    if let full = old[key] { old[key] = full - interval }
  }

  /// Forgets what a key did.
  mutating func forget(_ key: Key) {
    young[key] = nil
    old[key] = nil
  }
}
