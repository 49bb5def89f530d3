import LoadReporting

/// How long a simulated client waits between the end of a call and the begin of the next.
public struct ThinkTime: Sendable, Equatable, Codable {
  /// The shortest.
  public var shortest: Duration

  /// The longest; all between are equally likely.
  public var longest: Duration

  /// A pause.
  ///
  /// - Throws: ``PlanError`` if a time is negative, or the longest shorter than the shortest.
  public init(_ shortest: Duration, upTo longest: Duration? = nil) throws(PlanError) {
    let longest = longest ?? shortest
    guard shortest >= .zero, longest >= shortest else {
      throw PlanError("a think time from \(shortest) to \(longest): expected 0 s or more, rising")
    }
    (self.shortest, self.longest) = (shortest, longest)
  }

  /// In nanoseconds.
  func draw(_ random: inout SeededRandom) -> UInt64 {
    let range = shortest.inNanoseconds...longest.inNanoseconds
    return UInt64.random(in: range, using: &random)
  }
}
