/// Counts of a scenario's calls. One call is one operation of the scenario: of `purchase` the whole
/// way from log-in to finish.
///
/// `sent` = `ok` + `okOutside` + `failed` + `unanswered`.
public struct CallFigures: Sendable, Equatable {
  /// All that were started, also before and after the measured window.
  public var sent = 0

  /// Right answers that came in the measured window; of an open loop, those of the calls that were
  /// planned for it, also when they came later.
  public var ok = 0

  /// Of `ok`: those that came after the window's end. They count for latency, not for the rate.
  public var okLate = 0

  /// Right answers that came before it (warm-up) or after it (those under way at its end).
  public var okOutside = 0

  /// Failed calls of the whole run.
  public var failed = 0

  /// Still without an answer when the run ended.
  public var unanswered = 0

  /// Encoded requests, in bytes and without what carries them; of scenarios whose call is one
  /// exchange, and of all right answers.
  public var requestBytes: UInt64 = 0

  /// Encoded responses, likewise.
  public var responseBytes: UInt64 = 0

  /// Of the right answers in `ok` only: from the planned start in an open loop, from the begin in
  /// a closed one.
  public var latency = LatencyHistogram()

  /// Of all that ended in the window, the failed ones too.
  public var latencyWithErrors = LatencyHistogram()

  /// What the failed ones failed with.
  public var failures = FailureTally()

  /// Begun and not ended yet.
  public var underWay: Int { sent - ok - okOutside - failed }

  /// No calls.
  public init() {}

  /// Adds those of another loop.
  public mutating func merge(_ other: CallFigures) {
    sent += other.sent
    ok += other.ok
    okLate += other.okLate
    okOutside += other.okOutside
    failed += other.failed
    unanswered += other.unanswered
    requestBytes += other.requestBytes
    responseBytes += other.responseBytes
    latency.merge(other.latency)
    latencyWithErrors.merge(other.latencyWithErrors)
    failures.merge(other.failures)
  }
}
