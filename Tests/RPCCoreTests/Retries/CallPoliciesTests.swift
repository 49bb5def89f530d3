import RPCCore
import Testing

@Suite struct CallPoliciesTests {
  @Test func theMostSpecificCounts() {
    let method = CallPolicy.hedge(HedgingPolicy(delay: .zero))
    let service = CallPolicy.retry(RetryPolicy())
    let policies = CallPolicies(
      fallback: .once, services: ["a.B": service], methods: ["a.B/C": method, "a.B/Once": .once])
    #expect(policies.policy(service: "a.B", path: "a.B/C") == method)
    #expect(policies.policy(service: "a.B", path: "a.B/D") == service)
    #expect(policies.policy(service: "a.B", path: "a.B/Once") == .once)
    #expect(policies.policy(service: "a.E", path: "a.E/C") == .once)
    #expect(!policies.areTrivial)
    #expect(CallPolicies().areTrivial)
  }

  @Test func senselessNumbersAreMovedIntoTheirBounds() {
    #expect(RetryPolicy(maximumAttempts: -3).maximumAttempts == 1)
    let hedging = HedgingPolicy(maximumAttempts: 0, delay: .seconds(-1))
    #expect(hedging.maximumAttempts == 1)
    #expect(hedging.delay == .zero)
  }
}
