import Glibc

/// The time of a log line: the wall clock for people, the monotonic one for rate limits.
public struct LogInstant: Sendable, Equatable {
  /// Since 1970 UTC.
  public var milliseconds: Int64

  /// Never steps back; the origin means nothing.
  public var monotonicNanoseconds: Int64

  /// An instant of an own clock.
  public init(milliseconds: Int64, monotonicNanoseconds: Int64) {
    self.milliseconds = milliseconds
    self.monotonicNanoseconds = monotonicNanoseconds
  }

  /// The machine's clocks.
  public static func now() -> LogInstant {
    var wall = timespec()
    var steady = timespec()
    clock_gettime(CLOCK_REALTIME, &wall)
    clock_gettime(CLOCK_MONOTONIC, &steady)
    return LogInstant(
      milliseconds: Int64(wall.tv_sec) * 1000 + Int64(wall.tv_nsec) / 1_000_000,
      monotonicNanoseconds: Int64(steady.tv_sec) * 1_000_000_000 + Int64(steady.tv_nsec))
  }

  /// `2026-11-30T08:05:09.012Z`; years outside 0 to 9999 have more digits or a sign.
  public var utc: String {
    let day = milliseconds.quotientFloored(by: 86_400_000)
    let inDay = milliseconds - day * 86_400_000
    let (year, month, dayOfMonth) = LogInstant.date(ofDay: day)
    let seconds = inDay / 1000
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))"
      + "T\(padded(seconds / 3600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))"
      + ".\(padded(inDay % 1000, 3))Z"
  }

  /// The Gregorian date of a day counted from 1970-01-01. Years are counted from March, so that the
  /// leap day is a year's last.
  private static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = day + 719_468
    let era = shifted.quotientFloored(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }
}

extension Int64 {
  fileprivate func quotientFloored(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}

private func padded(_ number: Int64, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
