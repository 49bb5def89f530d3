import Testing

@testable import LoadGenerator

@Suite struct PurchaseLogTests {
  private func purchases(
    _ acknowledged: [String], unknown: Set<String> = []
  ) -> PurchaseLog.Purchases {
    PurchaseLog.Purchases(acknowledged: acknowledged, unknown: unknown)
  }

  @Test func aListWithEachPurchaseOnceIsRight() {
    #expect(purchases(["a", "b"]).problem([("b", "2"), ("a", "1")]) == nil)
    #expect(purchases([]).problem([]) == nil)
  }

  @Test func missingDoubleAndStrangeTransactionsAreNamed() {
    #expect(
      purchases(["a"]).problem([]) == "the transaction a was acknowledged and isn't listed")
    #expect(
      purchases(["a"]).problem([("a", "1"), ("a", "1")]) == "the transaction a is listed 2 times")
    #expect(purchases(["a"]).problem([("a", "1"), ("x", "9")])?.contains("x is listed") == true)
  }

  @Test func aPurchaseWithoutAnAnswerMayBeThereOrNot() {
    let log = purchases(["a"], unknown: ["9"])
    #expect(log.problem([("a", "1")]) == nil)
    #expect(log.problem([("a", "1"), ("x", "9")]) == nil)
  }

  @Test func onlyASampleOfUsersIsKept() {
    var log = PurchaseLog()
    log.acknowledged("a", of: PurchaseLog.users)
    #expect(log.purchases.isEmpty)
    log.acknowledged("a", of: 0)
    var other = PurchaseLog()
    other.acknowledged("b", of: 0)
    other.unknown("9", of: 1)
    log.merge(other)
    #expect(log.purchases[0]?.acknowledged == ["a", "b"])
    #expect(log.purchases[1]?.unknown == ["9"])
  }
}
