extension LoadPlan {
  /// What a part of a mix may set for itself. Whatever it doesn't set is as for the whole load.
  public static let partSettings: [PartSetting] = [
    .integer("users", in: 1...10_000_000, of: withUsers, \.users),
    .number("zipf", in: 0...10, of: withUsers) { $0.zipf = $1 },
    PartSetting("think-time", ThinkTime.expectation) { plan, text in
      plan.thinkTime = ThinkTime(text: text)
      return plan.thinkTime != nil
    },
    PartSetting(
      "identifiers", "a whole number from 1 to 10000", of: [.productFilter, .purchase, .journey]
    ) { plan, text in
      guard let number = Int(text), (1...10_000).contains(number) else { return false }
      plan.identifiersPerCall = number
      return true
    },
    .share("unknown-share", of: [.productFilter]) { $0.unknownShare = $1 },
    .share("unsupported-share", of: [.productFilter]) { $0.unsupportedShare = $1 },
    .share("repeat-share", of: [.purchase, .journey]) { $0.repeatShare = $1 },
    PartSetting("apple-pay-token", "some text", of: LoadScenario.allCases.filter(\.buys)) {
      plan, text in
      plan.applePayToken = text
      return !text.isEmpty
    },
    PartSetting("step-pause", "a time of up to a day", of: [.journey]) { plan, text in
      guard let pause = PlanText.time(text[...]), pause > .zero, pause <= .seconds(86_400) else {
        return false
      }
      plan.stepPause = LoadPlan.stepPause(around: pause)
      return true
    },
    .integer("watchers", in: 1...10_000, of: [.watch], \.watchers),
    .integer("burst", in: 1...10_000, of: [.storm], \.burst),
    PartSetting("resume", "on, off, both or a share from 0 to 1", of: [.handshake, .storm]) {
      plan, text in
      if let named = Resumption(rawValue: text) {
        (plan.resumption, plan.resumedShare) = (named, nil)
        return true
      }
      guard let share = PlanText.number(text[...]), (0...1).contains(share) else { return false }
      plan.resumedShare = share
      return true
    },
  ]

  private static let withUsers = LoadScenario.allCases.filter(\.needsKnownUsers)

  /// Pauses from half of a time to one and a half of it.
  public static func stepPause(around pause: Duration) -> ClosedRange<UInt64> {
    UInt64(pause.inSeconds * 0.5e9)...UInt64(pause.inSeconds * 1.5e9)
  }

  /// Whether a part may be set so.
  static func accepts(_ name: String, _ value: String) -> Bool {
    var plan = LoadPlan(scenario: .sessionReturn)
    return plan.apply(name, value)
  }

  /// Sets something by its name; false: there is no such name, or the value isn't permitted.
  @discardableResult
  mutating func apply(_ name: String, _ value: String) -> Bool {
    LoadPlan.partSettings.first { $0.name == name }?.apply(&self, value) ?? false
  }
}
