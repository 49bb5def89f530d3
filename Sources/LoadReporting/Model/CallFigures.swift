/// Counts of a scenario's calls. One call is one operation of the scenario: of `purchase` the whole
/// way from log-in to finish.
///
/// `sent` = `ok` + `okOutside` + `failed` + `unanswered`.
public struct CallFigures: Sendable, Equatable {
  /// All that were started, also before and after the measured window.
  public var sent = 0

  /// Right answers that came in the measured window.
  public var ok = 0

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

  /// Of the right answers in the window only.
  public var latency = LatencyHistogram()

  /// Of all that ended in the window, the failed ones too.
  public var latencyWithErrors = LatencyHistogram()

  /// What the failed ones failed with.
  public var failures = FailureTally()

  /// No calls.
  public init() {}

  /// Adds those of another loop.
  public mutating func merge(_ other: CallFigures) {
    sent += other.sent
    ok += other.ok
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
