import Testing

@testable import LoadGenerator

@Suite struct WatchLedgerTests {
  private func event(_ transaction: String, _ state: String = "purchased") -> WatchLedger.Event {
    WatchLedger.Event(transaction: transaction, state: state, isFinished: false)
  }

  @Test func eventsOfOnesOwnPurchasesAreRightBeforeAndAfterTheAnswer() {
    var ledger = WatchLedger()
    #expect(ledger.take(event("a", "purchasing")) == nil)
    #expect(ledger.take(event("a")) == nil)
    ledger.acknowledged("a")
    #expect(ledger.has(.purchased("a")))
    #expect(ledger.settle() == nil)
    ledger.acknowledged("b")
    #expect(!ledger.has(.purchased("b")))
    #expect(ledger.take(event("b")) == nil)
    #expect(ledger.settle() == nil)
  }

  @Test func anEventThatComesTwiceIsWrong() {
    var ledger = WatchLedger()
    #expect(ledger.take(event("a")) == nil)
    #expect(ledger.take(event("a")) == "the event purchased of a came a second time")
  }

  @Test func anEventOfAnotherUsersPurchaseIsWrong() {
    var ledger = WatchLedger()
    _ = ledger.take(event("x"))
    _ = ledger.take(event("a"))
    ledger.acknowledged("a")
    #expect(ledger.settle() == "an event of x came, which this user hasn't bought")
    // Told once.
    #expect(ledger.settle() == nil)
  }

  @Test func afterAPurchaseWithoutAnAnswerNothingIsStrange() {
    var ledger = WatchLedger()
    ledger.lost()
    _ = ledger.take(event("x"))
    ledger.acknowledged("a")
    #expect(ledger.settle() == nil)
    #expect(ledger.isUncertain)
  }
}
