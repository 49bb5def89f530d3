extension MixPart {
  /// What the text of a whole mix has to be like.
  public static let mixExpectation =
    "SCENARIO=WEIGHT,…, as in session-return=3,product-filter=1, with scenarios of "
    + LoadScenario.allCases.filter(\.canBePaced).map(\.rawValue).joined(separator: ", ")

  /// Reads `session-return=3,product-filter=1`.
  public static func mix(text: String) -> [MixPart]? {
    var parts: [MixPart] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      let sides = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2, let scenario = LoadScenario(rawValue: String(sides[0])),
        scenario.canBePaced, let weight = PlanText.number(sides[1]), weight > 0
      else { return nil }
      parts.append(MixPart(scenario, weight: weight))
    }
    return parts.isEmpty ? nil : parts
  }

  /// What the text of one part has to be like.
  public static let expectation =
    "SCENARIO [weight=N | clients=N] [NAME=VALUE…], as in \"session-return weight=3 users=1000\","
    + " with names of "
    + LoadPlan.partSettings.map { "\($0.name) (\($0.expectation))" }.joined(separator: ", ")

  /// Clients of their own that one part may have.
  static let mostClients = 1_000_000

  /// Reads `session-return weight=3 users=1000`; the scenario may stand anywhere.
  public init?(text: String) {
    var scenario: LoadScenario?
    var weight: Double?
    var clients: Int?
    var settings: [Setting] = []
    for word in text.split(whereSeparator: \.isWhitespace) {
      let sides = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if sides.count == 1 {
        guard scenario == nil, let named = LoadScenario(rawValue: String(word)) else { return nil }
        scenario = named
      } else if sides[0] == "weight" {
        guard weight == nil, let number = PlanText.number(sides[1]), number > 0 else { return nil }
        weight = number
      } else if sides[0] == "clients" {
        guard clients == nil, let number = Int(sides[1]), (1...Self.mostClients).contains(number)
        else { return nil }
        clients = number
      } else {
        let (name, value) = (String(sides[0]), String(sides[1]))
        guard LoadPlan.accepts(name, value), !settings.contains(where: { $0.name == name }) else {
          return nil
        }
        settings.append(Setting(name: name, value: value))
      }
    }
    guard let scenario, weight == nil || clients == nil else { return nil }
    self.init(scenario, weight: weight ?? 1)
    self.clients = clients
    self.settings = settings
  }
}
