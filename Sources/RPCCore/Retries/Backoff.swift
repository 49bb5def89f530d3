/// How long to wait between attempts to connect: longer after each failure, spread so that many
/// clients of a restarted server don't come back at once.
public struct Backoff: Sendable, Hashable {
  /// Before the second attempt.
  public var initial: Duration

  /// No wait is longer, but for the spread.
  public var maximum: Duration

  /// By how much each wait is longer than the one before.
  public var factor: Double

  /// How far a wait may be from its length, as a part of it: 0.2 is ±20 %.
  public var jitter: Double

  /// Makes a back-off. The factor is at least 1 and the jitter within 0...1.
  public init(
    initial: Duration = .milliseconds(100), maximum: Duration = .seconds(10), factor: Double = 1.6,
    jitter: Double = 0.2
  ) {
    self.initial = initial
    self.maximum = maximum
    self.factor = max(1, factor)
    self.jitter = min(1, max(0, jitter))
  }

  /// The wait after a number of failures in a row.
  ///
  /// - Parameters:
  ///   - failures: At least 1.
  ///   - random: In 0..<1; 0.5 gives the length without spread.
  public func delay(afterFailures failures: Int, random: Double) -> Duration {
    var delay = initial
    var step = 1
    while step < failures, delay < maximum {
      delay = delay * factor
      step += 1
    }
    return min(delay, maximum) * (1 + jitter * (2 * random - 1))
  }
}
