/// Something that can be set for one scenario of a mix alone.
public struct PartSetting: Sendable {
  /// As the option of the command line: `users`.
  public let name: String

  /// What it may be: "a whole number from 1 up".
  public let expectation: String

  /// The scenarios that know it.
  let scenarios: [LoadScenario]

  /// Sets it; false: the text isn't what is expected.
  let apply: @Sendable (inout LoadPlan, String) -> Bool

  init(
    _ name: String, _ expectation: String, of scenarios: [LoadScenario] = LoadScenario.allCases,
    apply: @escaping @Sendable (inout LoadPlan, String) -> Bool
  ) {
    self.name = name
    self.expectation = expectation
    self.scenarios = scenarios
    self.apply = apply
  }

  /// A whole number.
  static func integer(
    _ name: String, in range: ClosedRange<Int>, of scenarios: [LoadScenario],
    _ path: any WritableKeyPath<LoadPlan, Int> & Sendable
  ) -> PartSetting {
    let expectation = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    return PartSetting(name, expectation, of: scenarios) { plan, text in
      guard let number = Int(text), range.contains(number) else { return false }
      plan[keyPath: path] = number
      return true
    }
  }

  /// A share.
  static func share(
    _ name: String, of scenarios: [LoadScenario],
    _ set: @escaping @Sendable (inout LoadPlan, Double) -> Void
  ) -> PartSetting {
    number(name, in: 0...1, of: scenarios, set)
  }

  /// A number with fractions.
  static func number(
    _ name: String, in range: ClosedRange<Double>, of scenarios: [LoadScenario],
    _ set: @escaping @Sendable (inout LoadPlan, Double) -> Void
  ) -> PartSetting {
    let (from, to) = (Int(range.lowerBound), Int(range.upperBound))
    return PartSetting(name, "a number from \(from) to \(to)", of: scenarios) { plan, text in
      guard let number = PlanText.number(text[...]), range.contains(number) else { return false }
      set(&plan, number)
      return true
    }
  }
}
