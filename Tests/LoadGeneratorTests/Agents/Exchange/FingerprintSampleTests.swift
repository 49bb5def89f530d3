import LoadReporting
import Testing

@testable import LoadGenerator

@Suite struct FingerprintSampleTests {
  private func log(_ values: [UInt64]) -> FingerprintLog {
    var log = FingerprintLog()
    for value in values { log.append(fingerprint: value) }
    return log
  }

  @Test func fewAreComparedAll() {
    let samples = [log([1, 2, 3]), log([4, 5])].map { FingerprintSample($0) }
    let check = FingerprintSample.check("session_tokens_unique", samples)
    #expect(check.name == "session_tokens_unique_across_agents")
    #expect(check.title == "session tokens unique across agents")
    #expect(check.checked == 5)
    #expect(check.violations == 0)
  }

  @Test func whatTwoAgentsHaveIsFound() {
    // What one agent has twice is counted by that agent's own check.
    let samples = [log([1, 2, 2]), log([2, 3]), log([2, 9])].map { FingerprintSample($0) }
    let check = FingerprintSample.check("session_tokens_unique", samples)
    #expect(check.violations == 2)
    #expect(check.sample != nil)
  }

  @Test func ofManyASampleIsComparedThatBothAgentsTakeAlike() {
    var random = SeededRandom(seed: 9)
    let common = (0..<1000).map { _ in random.next() }
    let first = FingerprintSample(
      log(common + (0..<30_000).map { _ in random.next() }), limit: 4000)
    let second = FingerprintSample(log(common + (0..<2000).map { _ in random.next() }), limit: 4000)
    #expect(first.values.count <= 4000)
    #expect(first.zeroBits == 3)
    #expect(second.zeroBits == 0)
    let check = FingerprintSample.check("tokens", [first, second])
    #expect(check.violations == common.count { $0 & 7 == 0 })
    #expect(check.violations > 0)
    #expect(check.title.hasSuffix("a sample of 1 in 8"))
  }
}
