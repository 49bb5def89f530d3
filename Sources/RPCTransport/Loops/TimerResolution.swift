/// How exactly a loop wakes for its timers. None of them fires before it is due.
public enum TimerResolution: Sendable {
  /// After whole milliseconds: one wake-up serves all timers that are due within one. For timeouts.
  case milliseconds

  /// At the instant itself, as far as the kernel can (before Linux 5.11 as ``milliseconds``). For
  /// a plan that has to be kept, at the price of a wake-up for each timer.
  case exact

  /// How long to wait for a timer that is due in `left` nanoseconds.
  func wait(_ left: Int64) -> Int64 {
    guard left > 0 else { return 0 }
    guard self == .milliseconds else { return left }
    // Rounded up: a wake-up before the timer is due would be for nothing.
    let (milliseconds, rest) = left.quotientAndRemainder(dividingBy: 1_000_000)
    let (wait, isTooLong) = (milliseconds + (rest > 0 ? 1 : 0))
      .multipliedReportingOverflow(by: 1_000_000)
    return isTooLong ? left : wait
  }
}
