/// What a check found that was made while loading, beside each call's own success.
public struct CheckResult: Sendable, Equatable {
  /// Stable, for programs: `session_tokens_unique`.
  public var name: String

  /// What the check says, for people: "session tokens unique".
  public var title: String

  /// How many things were looked at.
  public var checked: Int

  /// How many were wrong. More than 0 fails the run.
  public var violations: Int

  /// The first that was wrong.
  public var sample: String?

  /// A check's result.
  public init(
    name: String, title: String, checked: Int = 0, violations: Int = 0, sample: String? = nil
  ) {
    self.name = name
    self.title = title
    self.checked = checked
    self.violations = violations
    self.sample = sample
  }

  /// Adds what the same check found elsewhere.
  public mutating func merge(_ other: CheckResult) {
    checked += other.checked
    violations += other.violations
    sample = sample ?? other.sample
  }

  /// Counts one thing; `wrong` describes it if it is wrong.
  @inline(__always)
  public mutating func count(_ right: Bool, wrong: @autoclosure () -> String) {
    checked &+= 1
    if !right { violate(wrong()) }
  }

  /// Counts something wrong that was counted as checked already.
  public mutating func violate(_ description: String) {
    violations += 1
    sample = sample ?? description
  }
}
