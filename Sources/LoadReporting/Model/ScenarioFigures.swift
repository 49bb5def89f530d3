/// One scenario of a mix.
public struct ScenarioFigures: Sendable, Equatable {
  /// Its name: `session-return`.
  public var name: String

  /// Its weight beside the others'.
  public var weight: Double

  /// How many simulated clients did nothing else; nil: which calls were of it was drawn by weight.
  public var clients: Int?

  /// Its calls.
  public var calls = CallFigures()

  /// What one call of it is made of, if that is more than one exchange.
  public var steps: [StepFigures] = []

  /// A scenario that wasn't played yet.
  public init(name: String, weight: Double = 1) {
    self.name = name
    self.weight = weight
  }
}
