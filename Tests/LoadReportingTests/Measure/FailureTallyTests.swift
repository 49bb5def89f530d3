import Testing

@testable import LoadReporting

@Suite struct FailureTallyTests {
  private let unavailable = FailureTally.Kind(phase: .connect, status: "UNAVAILABLE")

  @Test func countsByKindAndKeepsThreeDifferentMessages() {
    var tally = FailureTally()
    for number in 0..<10 { tally.record(unavailable, "message \(number / 2)") }
    tally.record(.init(phase: .answer, status: "NOT_FOUND", reason: "PRODUCT_NOT_FOUND"), "gone")
    #expect(tally.total == 11)
    #expect(tally.entries.map(\.count) == [10, 1])
    #expect(tally.entries[0].samples == ["message 0", "message 1", "message 2"])
  }

  @Test("LG-25 100,000 different errors make a table of bounded size") func kindsAreBounded() {
    var tally = FailureTally()
    for number in 0..<100_000 {
      tally.record(.init(phase: .answer, status: "S\(number)"), "m\(number)")
    }
    #expect(tally.total == 100_000)
    #expect(tally.entries.count == FailureTally.mostKinds + 1)
    #expect(tally.entries.last?.kind.status == "OTHER")
    #expect(tally.entries.last?.count == 100_000 - FailureTally.mostKinds)
  }

  @Test func longMessagesAreCut() {
    var tally = FailureTally()
    tally.record(unavailable, String(repeating: "x", count: 5000))
    #expect(tally.entries[0].samples[0].count == FailureTally.longestSample)
  }

  @Test func mergingAddsCounts() {
    var first = FailureTally()
    var second = FailureTally()
    first.record(unavailable, "a")
    second.record(unavailable, "b")
    second.record(.init(phase: .tls, status: "UNAVAILABLE"), "c")
    first.merge(second)
    #expect(first.entries.map(\.count) == [2, 1])
    #expect(first.entries[0].samples == ["a", "b"])
  }

  @Test func checksMerge() {
    var first = CheckResult(name: "n", title: "t")
    first.count(true, wrong: "never")
    var second = CheckResult(name: "n", title: "t")
    second.count(false, wrong: "first")
    second.count(false, wrong: "second")
    first.merge(second)
    #expect(first == CheckResult(name: "n", title: "t", checked: 3, violations: 2, sample: "first"))
  }
}
