import LoadReporting

/// One scenario of a load that mixes several.
public struct MixPart: Sendable, Equatable, Codable {
  /// Which.
  public var scenario: LoadScenario

  /// Its weight beside the others': of all calls it makes weight ÷ sum of the weights.
  public var weight: Double

  /// So many simulated clients of a closed loop make calls of this scenario and of no other; nil:
  /// which calls are of it is drawn by weight.
  public var clients: Int?

  /// What is set for this scenario alone, by the name of the option: `users`, `identifiers`.
  public var settings: [Setting] = []

  /// Something that is set for one scenario alone.
  public struct Setting: Sendable, Equatable, Codable {
    /// As the option of the command line.
    public var name: String

    /// As it is written there.
    public var value: String
  }

  /// A part.
  public init(_ scenario: LoadScenario, weight: Double = 1) {
    self.scenario = scenario
    self.weight = weight
  }

  /// For the report.
  var json: JSONValue {
    .object(
      [
        .init("scenario", .string(scenario.rawValue)),
        clients.map { .init("clients", .integer($0)) }
          ?? .init("weight", .decimal(weight, places: 6)),
      ] + settings.map { .init($0.name, .string($0.value)) })
  }
}
