/// When and how often a call that has failed is sent again.
public struct RetryPolicy: Sendable, Hashable {
  /// How often the call is sent at most, the first time included; at least 1.
  public var maximumAttempts: Int

  /// The wait before each further attempt, unless the server asks for another one.
  public var backoff: Backoff

  /// The codes after which another attempt may help.
  public var codes: Set<StatusCode>

  /// Whether calls are repeated that may have run although their method isn't marked
  /// (`idempotency_level`) as one that may run twice.
  ///
  /// Whoever sets it vouches that running twice does no harm. Calls that the server certainly never
  /// started are repeated in any case.
  public var repeatsUnmarkedMethods: Bool

  /// Makes a policy.
  ///
  /// - Parameters:
  ///   - maximumAttempts: How often the call is sent at most, the first time included.
  ///   - backoff: The wait before each further attempt.
  ///   - codes: The codes after which another attempt may help.
  ///   - repeatsUnmarkedMethods: True to vouch for methods that aren't marked as repeatable.
  public init(
    maximumAttempts: Int = 4,
    backoff: Backoff = Backoff(initial: .milliseconds(50), maximum: .seconds(2), factor: 2),
    codes: Set<StatusCode> = [.unavailable], repeatsUnmarkedMethods: Bool = false
  ) {
    self.maximumAttempts = max(1, maximumAttempts)
    self.backoff = backoff
    self.codes = codes
    self.repeatsUnmarkedMethods = repeatsUnmarkedMethods
  }
}

/// When a call is sent a second time before the first attempt has been answered. The first answer
/// counts; the other attempts are cancelled.
///
/// Only methods that may run twice are hedged: those marked so (`idempotency_level`), or those that
/// the policy vouches for. Calls of others are sent once.
public struct HedgingPolicy: Sendable, Hashable {
  /// How many attempts there are at most, the first included; at least 1.
  public var maximumAttempts: Int

  /// The wait before each further attempt; zero sends all at once.
  public var delay: Duration

  /// The codes of a failed attempt that leave the others running. After any other error the call
  /// fails at once.
  public var nonFatalCodes: Set<StatusCode>

  /// Whether methods are hedged that aren't marked as ones that may run twice.
  public var repeatsUnmarkedMethods: Bool

  /// Makes a policy.
  ///
  /// - Parameters:
  ///   - maximumAttempts: How many attempts there are at most, the first included.
  ///   - delay: The wait before each further attempt.
  ///   - nonFatalCodes: The codes that leave the other attempts running.
  ///   - repeatsUnmarkedMethods: True to vouch for methods that aren't marked as repeatable.
  public init(
    maximumAttempts: Int = 2, delay: Duration, nonFatalCodes: Set<StatusCode> = [.unavailable],
    repeatsUnmarkedMethods: Bool = false
  ) {
    self.maximumAttempts = max(1, maximumAttempts)
    self.delay = max(.zero, delay)
    self.nonFatalCodes = nonFatalCodes
    self.repeatsUnmarkedMethods = repeatsUnmarkedMethods
  }
}
