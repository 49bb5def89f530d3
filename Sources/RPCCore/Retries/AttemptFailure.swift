/// What is known of an attempt that failed.
public struct AttemptFailure: Sendable, Hashable {
  /// How it failed.
  public var code: StatusCode

  /// False: the server certainly never started the call.
  public var wasStarted: Bool

  /// What the server says about trying again.
  public var pushback: RetryPushback?

  /// Describes a failure.
  public init(_ code: StatusCode, wasStarted: Bool = true, pushback: RetryPushback? = nil) {
    self.code = code
    self.wasStarted = wasStarted
    self.pushback = pushback
  }
}
