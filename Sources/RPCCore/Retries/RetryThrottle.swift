/// Keeps retries from making an overload worse: a bucket of tokens that failures empty and
/// successes fill. While it is at most half full, nothing is sent again.
///
/// The rule is gRPC's (proposal A6): a failure takes one token, a success gives `tokenRatio` back.
public struct RetryThrottle: Sendable, Hashable {
  /// The size of the bucket and how fast it fills.
  public struct Policy: Sendable, Hashable {
    /// The tokens of a full bucket, 1 to 1000. Half as many failures in a row stop retries.
    public var maximumTokens: Int

    /// What a success gives back, in tokens: 0.001 to 1. With 0.1, one call in ten may fail for
    /// good without stopping retries.
    public var tokenRatio: Double

    /// Makes a policy; values out of their bounds are moved into them.
    public init(maximumTokens: Int = 10, tokenRatio: Double = 0.1) {
      self.maximumTokens = min(1000, max(1, maximumTokens))
      self.tokenRatio = min(1, max(0.001, tokenRatio))
    }
  }

  // In thousandths of a token, so that many small steps add up exactly.
  private let maximum: Int
  private let gain: Int
  private var level: Int

  /// A full bucket.
  public init(_ policy: Policy = Policy()) {
    maximum = min(1000, max(1, policy.maximumTokens)) * 1000
    gain = Int((min(1, max(0.001, policy.tokenRatio)) * 1000).rounded())
    level = maximum
  }

  /// The tokens in the bucket.
  public var tokens: Double { Double(level) / 1000 }

  /// Whether a call may be sent again.
  public var allowsRetry: Bool { level > maximum / 2 }

  /// A call has succeeded.
  public mutating func succeeded() { level = min(maximum, level + gain) }

  /// A call has failed in a way that could be tried again, or its server asked not to.
  public mutating func failed() { level = max(0, level - 1000) }
}
