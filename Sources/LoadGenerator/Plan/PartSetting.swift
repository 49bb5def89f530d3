/// Something that can be set for one scenario of a mix alone.
public struct PartSetting: Sendable {
  /// As the option of the command line: `users`.
  public let name: String

  /// What it may be: "a whole number from 1 up".
  public let expectation: String

  /// Sets it; false: the text isn't what is expected.
  let apply: @Sendable (inout LoadPlan, String) -> Bool

  init(
    _ name: String, _ expectation: String,
    apply: @escaping @Sendable (inout LoadPlan, String) -> Bool
  ) {
    self.name = name
    self.expectation = expectation
    self.apply = apply
  }

  /// A whole number.
  static func integer(
    _ name: String, in range: ClosedRange<Int>,
    _ path: any WritableKeyPath<LoadPlan, Int> & Sendable
  ) -> PartSetting {
    PartSetting(name, "a whole number from \(range.lowerBound) to \(range.upperBound)") {
      plan, text in
      guard let number = Int(text), range.contains(number) else { return false }
      plan[keyPath: path] = number
      return true
    }
  }
}

extension LoadPlan {
  /// What a part of a mix may set for itself.
  public static let partSettings: [PartSetting] = [
    .integer("users", in: 1...10_000_000, \.users),
    PartSetting("identifiers", "a whole number from 1 to 10000") { plan, text in
      guard let number = Int(text), (1...10_000).contains(number) else { return false }
      plan.identifiersPerCall = number
      return true
    },
    PartSetting("unknown-share", "a number from 0 to 1") { plan, text in
      guard let share = PlanText.number(text[...]), (0...1).contains(share) else { return false }
      plan.unknownShare = share
      return true
    },
    PartSetting("apple-pay-token", "some text") { plan, text in
      plan.applePayToken = text
      return !text.isEmpty
    },
  ]

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
