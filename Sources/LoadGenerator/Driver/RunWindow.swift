/// When a run measures, on the monotonic clock in nanoseconds.
struct RunWindow: Sendable, Equatable {
  /// Which calls belong to the measured ones.
  enum Counts: Sendable {
    /// Those whose answer came in the window, so that their rate is exact.
    case answers

    /// Those that were begun in it, so that their number is.
    case begins

    /// Those whose planned start lies in it, so that a slow one isn't left out.
    case plans
  }

  /// What comes before is warm-up.
  var opens: UInt64

  /// No call is begun from here on; `.max`: until the calls are made.
  var closes: UInt64

  /// What makes a call a measured one.
  var counts: Counts

  /// Whether a call belongs to the measured ones. What wasn't planned for an instant was planned
  /// for when it began.
  @inline(__always)
  func measures(planned: UInt64, answered: UInt64) -> Bool {
    if counts == .answers { return answered >= opens && answered < closes }
    return planned >= opens
  }
}
