/// So many events per sliding window.
///
/// Two counters stand for the window: the events of the present period, and those of the one before
/// in proportion to the part of it that the window still covers. That is exact at the limit of a
/// steady rate, and within one period's unevenness otherwise, for three words of memory.
package struct RateBudget: Sendable {
  private var start = MonotonicInstant(nanoseconds: .min)
  private var current: Int64 = 0
  private var previous: Int64 = 0

  /// A budget that nothing has been spent of.
  package init() {}

  /// Counts an event; false when the budget of `limit` events per `window` nanoseconds is used up.
  package mutating func spend(limit: Int, window: Int64, now: MonotonicInstant) -> Bool {
    let period = max(window, 1_000_000)
    roll(to: now, period: period)
    let milliseconds = period / 1_000_000
    let covered = max(0, milliseconds - now.nanoseconds(since: start) / 1_000_000)
    // Both factors are far below 2³¹: limits are checked against Int32 here.
    let carried = previous * covered / milliseconds
    guard current + carried < Int64(min(limit, Int(Int32.max))) else { return false }
    current += 1
    return true
  }

  private mutating func roll(to now: MonotonicInstant, period: Int64) {
    let elapsed = now.nanoseconds(since: start)
    guard elapsed >= period else { return }
    previous = elapsed - period < period ? current : 0
    current = 0
    start = previous == 0 ? now : start.advanced(byNanoseconds: period)
  }
}
