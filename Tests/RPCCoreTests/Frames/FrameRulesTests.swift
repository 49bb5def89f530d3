import Testing

@testable import RPCCore

@Suite struct FrameRulesTests {
  @Test func everyConflictHasAReason() {
    for bits in UInt8.min...UInt8.max {
      let flags = FrameFlags(rawValue: bits)
      #expect(FrameRules.hasConflict(flags) == (FrameRules.conflict(flags) != nil), "\(flags)")
    }
  }
}
