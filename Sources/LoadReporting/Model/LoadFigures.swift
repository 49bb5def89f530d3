/// How much of the planned load was made: what an honest generator says before any latency.
///
/// Of an open loop, `planned` = `sent` + `skipped` + `unsent`. Of a closed loop there is no plan:
/// `planned` is `sent`, nothing is skipped or late, and the lag is empty.
public struct LoadFigures: Sendable, Equatable {
  /// Calls whose planned start lies in the measured window.
  public var planned = 0

  /// Of those: begun.
  public var sent = 0

  /// Of those: ended, right or wrong, before the run did.
  public var completed = 0

  /// Of those: right answers.
  public var ok = 0

  /// Not begun, since as many calls as permitted were under way.
  public var skipped = 0

  /// Still waiting for their turn when the run ended.
  public var unsent = 0

  /// Begun later after their planned start than ``lateAfter``.
  public var late = 0

  /// From which schedule lag on a call counts as late, in nanoseconds.
  public var lateAfter: UInt64 = 10_000_000

  /// From the planned start to the begin of a call, of all that were begun in the window.
  public var lag = LatencyHistogram()

  /// Most calls under way at one time.
  public var inFlightMax = 0

  /// Calls under way when the measured time was over: what became of them is as `--at-end` said.
  public var inFlightAtEnd = 0

  /// No load.
  public init() {}

  /// The share of the planned calls that were begun and ended with a right answer; 1 without a
  /// plan.
  public var delivered: Double {
    planned > 0 ? Double(ok) / Double(planned) : 1
  }

  /// Adds those of another loop, or agent. The most under way at one time is the sum: an upper
  /// bound.
  public mutating func merge(_ other: LoadFigures) {
    planned += other.planned
    sent += other.sent
    completed += other.completed
    ok += other.ok
    skipped += other.skipped
    unsent += other.unsent
    late += other.late
    lag.merge(other.lag)
    inFlightMax += other.inFlightMax
    inFlightAtEnd += other.inFlightAtEnd
  }
}
