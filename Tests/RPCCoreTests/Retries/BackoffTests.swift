import RPCCore
import Testing

@Suite struct BackoffTests {
  private let backoff = Backoff(
    initial: .milliseconds(100), maximum: .seconds(1), factor: 2, jitter: 0.2)

  @Test(arguments: [(1, 100), (2, 200), (3, 400), (4, 800), (5, 1000), (1_000_000, 1000)])
  func waitsGrowToTheMaximum(failures: Int, milliseconds: Int) {
    #expect(
      backoff.delay(afterFailures: failures, random: 0.5) == .milliseconds(milliseconds))
  }

  @Test func theSpreadIsAsLargeAsItIsGiven() {
    #expect(backoff.delay(afterFailures: 1, random: 0) == .milliseconds(80))
    let most = backoff.delay(afterFailures: 1, random: 1.0.nextDown)
    #expect(most > .milliseconds(119) && most <= .milliseconds(120))
  }

  @Test func senselessValuesAreClamped() {
    let clamped = Backoff(factor: 0.1, jitter: 7)
    #expect(clamped.factor == 1)
    #expect(clamped.jitter == 1)
    #expect(clamped.delay(afterFailures: 3, random: 0) == .zero)
  }
}
