import LoadReporting

/// A part of an open loop: calls come at a rate, which may rise or fall steadily.
public struct LoadStage: Sendable, Equatable, Codable {
  /// Calls per second at its beginning.
  public var from: Double

  /// Calls per second at its end; the same as `from` where the rate is constant.
  public var to: Double

  /// How long it is.
  public var duration: Duration

  /// The most calls per second that can be asked for.
  public static let highestRate = 10_000_000.0

  /// A stage.
  ///
  /// - Throws: ``PlanError`` if a rate isn't a number from 0 to ``highestRate``, if there would be
  ///   no call at all, or if it has no duration.
  public init(from: Double, to: Double, duration: Duration) throws(PlanError) {
    for rate in [from, to] where !(rate >= 0 && rate <= LoadStage.highestRate) {
      throw PlanError(
        "a rate of \(rate): expected calls per second, more than 0 and at most 10000000")
    }
    guard from > 0 || to > 0 else {
      throw PlanError("a rate of 0: expected calls per second, more than 0 and at most 10000000")
    }
    guard duration > .zero else {
      throw PlanError("a stage without a duration: expected more than 0 seconds")
    }
    (self.from, self.to, self.duration) = (from, to, duration)
  }

  /// With a constant rate.
  ///
  /// - Throws: ``PlanError`` as the other.
  public init(rate: Double, duration: Duration) throws(PlanError) {
    try self.init(from: rate, to: rate, duration: duration)
  }

  /// How many calls it asks for; a part of one counts with the stage that follows.
  public var calls: Double { (from + to) / 2 * duration.inSeconds }

  /// When so many calls have been asked for, in seconds since the stage began.
  func seconds(untilCalls count: Double) -> Double {
    guard count > 0 else { return 0 }
    let length = duration.inSeconds
    // The rate's slope is a, and count = from·t + a·t²/2. This form of the solution stays exact
    // where the slope is small, and holds where it is 0.
    let slope = (to - from) / length
    let root = max(0, from * from + 2 * slope * count).squareRoot()
    guard from + root > 0 else { return length }
    return min(length, 2 * count / (from + root))
  }

  /// For the report.
  var json: JSONValue {
    .members([
      "from": .decimal(from), "to": .decimal(to), "seconds": .decimal(duration.inSeconds),
    ])
  }
}

/// What is wrong with a plan: one line that names the value and what is permitted.
public struct PlanError: Error, Sendable, CustomStringConvertible {
  /// One line.
  public let description: String

  /// An error.
  public init(_ description: String) {
    self.description = description
  }
}
