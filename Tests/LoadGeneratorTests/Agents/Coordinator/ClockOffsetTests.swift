import Testing

@testable import LoadGenerator

@Suite struct ClockOffsetTests {
  @Test func quickestRoundTripIsBelieved() throws {
    // The agent's clock is 1,000,000 ahead; the second answer was held up on its way back.
    let clock = try #require(
      ClockOffset([
        .init(sent: 100, agent: 1_000_150, received: 200),
        .init(sent: 300, agent: 1_000_350, received: 5_400),
      ]))
    #expect(clock.nanoseconds == 1_000_000)
    #expect(clock.uncertainty == 50)
    #expect(clock.agentInstant(7) == 1_000_007)
  }

  @Test func clocksMayBeAheadOrBehind() throws {
    let clock = try #require(ClockOffset([.init(sent: 5_000, agent: 10, received: 5_020)]))
    #expect(clock.agentInstant(6_010) == 1_010)
  }

  @Test func truthIsWithinTheUncertainty() throws {
    // Whenever the agent read its clock between question and answer.
    for read in 0...100 as ClosedRange<UInt64> {
      let clock = try #require(
        ClockOffset([.init(sent: 1000, agent: 77_000 + 1000 + read, received: 1100)]))
      let error = Int64(bitPattern: clock.nanoseconds) - 77_000
      #expect(error.magnitude <= clock.uncertainty)
    }
  }

  @Test func nothingMeasuredIsNoClock() {
    #expect(ClockOffset([]) == nil)
    #expect(ClockOffset([.init(sent: 2, agent: 0, received: 1)]) == nil)
  }
}
