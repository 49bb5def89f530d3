import RPCCore
import Testing

@Suite struct RetryThrottleTests {
  @Test func halfABucketOfFailuresStopsRetries() {
    var throttle = RetryThrottle(.init(maximumTokens: 10, tokenRatio: 0.1))
    for failures in 1...4 {
      throttle.failed()
      #expect(throttle.allowsRetry, "after \(failures) failures")
    }
    throttle.failed()
    #expect(throttle.tokens == 5)
    #expect(!throttle.allowsRetry)
  }

  @Test func successesFillItUpAgain() {
    var throttle = RetryThrottle(.init(maximumTokens: 10, tokenRatio: 0.1))
    for _ in 0..<5 { throttle.failed() }
    throttle.succeeded()
    #expect(throttle.tokens == 5.1)
    #expect(throttle.allowsRetry)
  }

  @Test func neitherEmptiesBelowZeroNorFillsAboveTheTop() {
    var throttle = RetryThrottle(.init(maximumTokens: 3, tokenRatio: 1))
    for _ in 0..<100 { throttle.failed() }
    #expect(throttle.tokens == 0)
    for _ in 0..<100 { throttle.succeeded() }
    #expect(throttle.tokens == 3)
  }

  @Test(arguments: [(0, 0.0, 1, 0.001), (5000, 7.0, 1000, 1), (10, 0.5, 10, 0.5)])
  func valuesAreMovedIntoTheirBounds(
    tokens: Int, ratio: Double, expectedTokens: Int, expectedRatio: Double
  ) {
    let policy = RetryThrottle.Policy(maximumTokens: tokens, tokenRatio: ratio)
    #expect(policy.maximumTokens == expectedTokens)
    #expect(policy.tokenRatio == expectedRatio)
  }

  @Test func aThousandSmallStepsAreExact() {
    var throttle = RetryThrottle(.init(maximumTokens: 1000, tokenRatio: 0.001))
    throttle.failed()
    for _ in 0..<1000 { throttle.succeeded() }
    #expect(throttle.tokens == 1000)
  }
}
