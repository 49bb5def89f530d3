/// When a run measures, on the monotonic clock in nanoseconds.
struct RunWindow: Sendable, Equatable {
  /// What comes before is warm-up.
  var opens: UInt64

  /// No call is begun from here on; `.max`: until the calls are made.
  var closes: UInt64

  /// True: calls are counted that were begun in the window, so that their number is exact. False:
  /// answers are counted that came in the window, so that their rate is.
  var countsCalls: Bool

  /// Whether an answer belongs to the measured ones.
  @inline(__always)
  func measures(begun: UInt64, answered: UInt64) -> Bool {
    if countsCalls { return begun >= opens }
    return answered >= opens && answered < closes
  }
}
