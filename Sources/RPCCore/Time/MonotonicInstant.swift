/// A point in time on a clock that never goes back, in nanoseconds since an arbitrary start.
///
/// The core never reads a clock: whoever drives it passes the current instant in. That keeps it
/// free of I/O and lets tests and the simulator move time as they like.
public struct MonotonicInstant: Sendable, Hashable, Comparable {
  /// Nanoseconds since the clock's start.
  public var nanoseconds: Int64

  /// The instant that many nanoseconds after the clock's start.
  @inlinable
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// Later than any instant that can be reached: "never".
  @inlinable
  public static var distantFuture: MonotonicInstant { MonotonicInstant(nanoseconds: .max) }

  @inlinable
  public static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// This instant moved by `nanoseconds`, held at the ends of the range instead of overflowing.
  @inlinable
  public func advanced(byNanoseconds nanoseconds: Int64) -> MonotonicInstant {
    let (sum, overflow) = self.nanoseconds.addingReportingOverflow(nanoseconds)
    guard overflow else { return MonotonicInstant(nanoseconds: sum) }
    return MonotonicInstant(nanoseconds: nanoseconds > 0 ? .max : .min)
  }

  /// Nanoseconds from `other` to this instant (negative if `other` is later), held at the ends of
  /// the range instead of overflowing.
  @inlinable
  public func nanoseconds(since other: MonotonicInstant) -> Int64 {
    let (difference, overflow) = nanoseconds.subtractingReportingOverflow(other.nanoseconds)
    guard overflow else { return difference }
    return nanoseconds > other.nanoseconds ? .max : .min
  }
}
