import Testing

@testable import RPCCore

@Suite struct ReceiveWindowTests {
  @Test func creditComesBackAtHalfAWindow() {
    var window = ReceiveWindow(size: 100)
    #expect(window.take(60) == true)
    #expect(window.giveBack(49) == 0)
    #expect(window.available == 40)
    #expect(window.giveBack(1) == 50)
    #expect(window.available == 90)
    #expect(window.pending == 0)
  }

  @Test func overdrawIsRefusedAndChangesNothing() {
    var window = ReceiveWindow(size: 10)
    #expect(window.take(10) == true)
    #expect(window.take(1) == false)
    #expect(window.take(0) == true)
    #expect(window.available == 0)
  }

  @Test func neverMoreThanWasTaken() {
    var window = ReceiveWindow(size: 10)
    #expect(window.take(6) == true)
    #expect(window.giveBack(1_000) == 6)
    #expect(window.available == 10)
    #expect(window.giveBack(1_000) == 0)
    #expect(window.giveBack(-5) == 0)
    #expect(window.available == 10)
  }
}

@Suite struct ReassemblyBudgetTests {
  @Test func onePrivilegedStreamCanAlwaysFinish() {
    var budget = ReassemblyBudget(limit: 150, message: 100)
    #expect(budget.take(50, for: 1) == true)
    #expect(budget.take(40, for: 3) == true, "the pool is full: stream 3 gets the reserve")
    #expect(budget.privileged == 3)
    #expect(budget.take(1, for: 1) == false)
    #expect(budget.take(1, for: 5) == false)
    #expect(budget.take(60, for: 3) == true)
    #expect(budget.take(1, for: 3) == false, "no more than one message")
    #expect(budget.used == 150)
    budget.release(100, for: 3)
    #expect(budget.privileged == 0)
    #expect(budget.take(100, for: 1) == true, "the next one gets it")
    budget.release(150, for: 1)
    #expect(budget.used == 0)
  }

  @Test func aLimitBelowOneMessageCountsAsOne() {
    var budget = ReassemblyBudget(limit: 1, message: 100)
    #expect(budget.take(100, for: 1) == true)
    #expect(budget.take(1, for: 3) == false)
    budget.release(100, for: 1)
    #expect(budget.take(1, for: 3) == true)
  }
}
