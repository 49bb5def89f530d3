import Testing

@testable import LoadGenerator

@Suite("The text of a plan for an agent")
struct AgentPlanTextTests {
  @Test func plansAreTheSameAfterTheirWay() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<100 {
      var plan = LoadPlan(scenario: .productFilter)
      plan.seed = .max - UInt64(random.next() >> 40)
      plan.duration = .milliseconds(1500) + .nanoseconds(1)
      plan.unknownShare = Double.random(in: 0...1, using: &random)
      plan.identifiersPerCall = 12
      plan.appKey = "a \"key\" with ü\n"
      let read = try LoadPlan(text: try plan.text())
      // By their text: a plan can't be compared, and whatever it has is in its reflection.
      #expect("\(read)" == "\(plan)")
    }
  }

  @Test(arguments: [
    "", "{}", "[]", "null", "7", "{\"scenario\":1}", String(repeating: "[", count: 100_000),
  ])
  func whatDoesNotFitIsAnError(_ text: String) {
    #expect(throws: DecodingError.self) { try LoadPlan(text: text) }
  }
}
