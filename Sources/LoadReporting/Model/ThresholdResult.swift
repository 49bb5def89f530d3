/// What became of one `--fail-if`.
public struct ThresholdResult: Sendable, Equatable {
  /// As it was written: `p99 > 10ms`.
  public var text: String

  /// The figure that was looked at, as a person reads it: "12.4 ms"; nil: there was none, which
  /// counts as crossed.
  public var actual: String?

  /// Whether the run fails because of it.
  public var isCrossed: Bool

  /// A result.
  public init(text: String, actual: String?, isCrossed: Bool) {
    self.text = text
    self.actual = actual
    self.isCrossed = isCrossed
  }
}
