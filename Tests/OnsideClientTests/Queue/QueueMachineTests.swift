import OnsideDomain
import Testing

@testable import OnsideClient

/// The queue alone: what happens goes in, notices come out.
@Suite struct QueueMachineTests {
  static let storefront = Storefront(id: "DE", country: CountryCode.all[56])

  static func product(_ id: String = "coins") throws -> ProductRecord {
    ProductRecord(
      identifier: id, title: id, kind: .consumable,
      price: Money(minorUnits: 499, currency: try #require(Currency("EUR"))),
      storefront: storefront)
  }

  static func record(
    _ id: String, _ state: PurchaseState, product: String = "coins", at time: Int64 = 1,
    finished: Bool = false
  ) throws -> TransactionRecord {
    TransactionRecord(
      id: id, productIdentifier: product, productKind: .consumable, state: state,
      price: Money(minorUnits: 499, currency: try #require(Currency("EUR"))),
      storefront: storefront, appAccountToken: nil, createdAtMilliseconds: time,
      updatedAtMilliseconds: time, isFinished: finished,
      failureReason: state == .failed ? .declined : nil)
  }

  private func sending() throws -> (QueueMachine, PaymentTransaction) {
    var machine = QueueMachine()
    machine.observe(1)
    let transaction = machine.enqueue(Payment(try Self.product()), in: Self.storefront)
    _ = machine.startNext()
    _ = machine.choose(.applePay(token: "t"), for: transaction.id)
    machine.notices = []
    return (machine, transaction)
  }

  @Test func withoutAnObserverNothingStarts() throws {
    var machine = QueueMachine()
    let transaction = machine.enqueue(Payment(try Self.product()), in: Self.storefront)
    machine.wantRestore()
    var next = machine.startNext()
    var restores = machine.startRestore()
    #expect(next == nil)
    #expect(!restores)
    machine.observe(1)
    next = machine.startNext()
    restores = machine.startRestore()
    #expect(next?.transaction.id == transaction.id)
    #expect(restores)
  }

  @Test func oneIsCarriedOutAfterTheOther() throws {
    var machine = QueueMachine()
    machine.observe(1)
    let first = machine.enqueue(Payment(try Self.product()), in: Self.storefront)
    let second = machine.enqueue(Payment(try Self.product("gems")), in: Self.storefront)
    var next = machine.startNext()
    #expect(next?.transaction.id == first.id)
    next = machine.startNext()
    #expect(next == nil)
    machine.fail(first.id, PaymentTransaction.Failure(.cancelled, ""))
    machine.stopExecuting(first.id)
    next = machine.startNext()
    #expect(next?.transaction.id == second.id)
  }

  @Test func whatWasSentBeforeComesFirst() throws {
    var (machine, transaction) = try sending()
    let kept = machine.entries
    machine = QueueMachine()
    machine.observe(1)
    machine.signIn(kept)
    _ = machine.enqueue(Payment(try Self.product("gems")), in: Self.storefront)
    let next = machine.startNext()
    #expect(next?.transaction.id == transaction.id)
    #expect(next?.step == .sending(.applePay(token: "t")))
  }

  @Test func anObserverIsToldWhatIsThereAndThenChanges() throws {
    var (machine, transaction) = try sending()
    machine.observe(2)
    #expect(machine.notices.map(\.observer) == [2])
    machine.notices = []
    machine.observe(2)
    #expect(machine.notices.isEmpty)
    let bought = machine.settle(transaction.id, try Self.record("t", .purchased))
    #expect(bought?.state == .purchased)
    #expect(machine.notices.count == 1)
    let again = machine.settle(transaction.id, try Self.record("t", .purchased, at: 2))
    #expect(again == nil)
    #expect(machine.notices.count == 1)
  }

  @Test func newsOfWhatIsBeingSentIsHeld() throws {
    var (machine, transaction) = try sending()
    let news = try Self.record("t", .purchased)
    var taken = machine.take(news)
    #expect(taken == .held)
    taken = machine.take(try Self.record("other", .purchased, product: "gems"))
    #expect(taken == .unknown)
    _ = machine.settle(transaction.id, news)
    let held = machine.takeHeld()
    #expect(held == [news])
    taken = machine.take(news)
    #expect(taken == .known(nil))
    #expect(machine.transactions.count == 1)
  }

  @Test func olderNewsChangesNothing() throws {
    var (machine, transaction) = try sending()
    _ = machine.settle(transaction.id, try Self.record("t", .deferred, at: 5))
    machine.notices = []
    let taken = machine.take(try Self.record("t", .purchased, at: 4))
    #expect(taken == .known(nil))
    #expect(machine.notices.isEmpty)
    #expect(machine.transactions.first?.isDeferred == true)
  }

  @Test func aFinalStateStays() throws {
    var (machine, transaction) = try sending()
    _ = machine.settle(transaction.id, try Self.record("t", .purchased))
    _ = machine.take(try Self.record("t", .failed, at: 9))
    #expect(machine.transactions.first?.state == .purchased)
  }

  @Test func finishingHidesUntilTheServiceKnowsAndLateNewsIsDropped() throws {
    var (machine, transaction) = try sending()
    let record = try Self.record("t", .purchased)
    _ = machine.settle(transaction.id, record)
    let tells = try machine.finish(transaction.id)
    #expect(tells)
    #expect(machine.transactions.isEmpty)
    var taken = machine.take(record)
    #expect(taken == .known(nil))
    #expect(machine.finishing.count == 1)
    machine.finished(transaction.id)
    #expect(machine.entries.isEmpty)
    taken = machine.take(record)
    #expect(taken == .known(nil))
    machine.adopt(record, try Self.product())
    #expect(machine.entries.isEmpty)
  }

  @Test func whatNeverReachedTheServiceIsFinishedAtOnce() throws {
    var (machine, transaction) = try sending()
    machine.fail(transaction.id, PaymentTransaction.Failure(.cancelled, ""))
    let tells = try machine.finish(transaction.id)
    #expect(!tells)
    #expect(machine.entries.isEmpty)
  }

  @Test func anotherDeviceMayFinish() throws {
    var machine = QueueMachine()
    machine.observe(1)
    machine.adopt(try Self.record("t", .purchased), try Self.product())
    machine.notices = []
    _ = machine.take(try Self.record("t", .purchased, at: 2, finished: true))
    #expect(machine.transactions.isEmpty)
    #expect(machine.notices.count == 1)
    let taken = machine.take(try Self.record("u", .purchased, finished: true))
    #expect(taken == .known(nil))
  }

  @Test func aRefusedPurchaseIsTriedAnewWithAnotherKey() throws {
    var (machine, transaction) = try sending()
    let first = machine.entry(transaction.id)?.idempotencyKey
    machine.tryAnew(transaction.id)
    let second = machine.entry(transaction.id)
    #expect(second?.step == .queued)
    #expect(second?.idempotencyKey != first)
    #expect((second?.idempotencyKey.utf8.count ?? 99) <= 64)
  }

  @Test func whatWasJustFinishedCanBeRestored() throws {
    var (machine, transaction) = try sending()
    let record = try Self.record("t", .purchased)
    _ = machine.settle(transaction.id, record)
    _ = try machine.finish(transaction.id)
    machine.adopt(record, try Self.product(), restored: true)
    machine.adopt(record, try Self.product(), restored: true)
    #expect(machine.transactions.map(\.state) == [.restored])
    machine.finished(transaction.id)
    #expect(machine.transactions.map(\.state) == [.restored])
  }

  @Test func restoresEndEachOnce() throws {
    var machine = QueueMachine()
    machine.observe(1)
    machine.wantRestore()
    machine.wantRestore()
    var starts = machine.startRestore()
    #expect(starts)
    starts = machine.startRestore()
    #expect(!starts)
    machine.endRestore(nil)
    machine.signOut()
    #expect(machine.notices.count == 2)
    #expect(machine.notices.first?.event == .restoreFinished)
    machine.endRestore(nil)
    #expect(machine.notices.count == 2)
  }

  /// Everything that an entry has comes back from the disk.
  @Test func aQueueComesBackAsItWas() throws {
    let product = ProductRecord(
      identifier: "club", title: "Club", description: "d", kind: .subscription,
      price: Money(minorUnits: 499, currency: try #require(Currency("EUR"))),
      subscriptionGroup: "g", subscriptionPeriod: Period(1, .month),
      introductoryPrice: .init(
        price: Money(minorUnits: 0, currency: try #require(Currency("EUR"))),
        period: try #require(Period(1, .week))), iconURL: "https://example.com/i",
      storefront: Self.storefront)
    let steps: [QueueEntry.Step] = [
      .queued, .sending(.applePay(token: "t")), .sending(.card(token: "c")),
      .sending(.savedCard(id: "s")), .waiting, .settled, .finishing,
    ]
    let entries = steps.map { step in
      var entry = QueueEntry(
        transaction: PaymentTransaction(
          payment: Payment(product, appAccountToken: "a"), state: .failed,
          storefront: Self.storefront, transactionID: "t", originalTransactionID: "o",
          isDeferred: true,
          failure: PaymentTransaction.Failure(.refused, "m", reason: .priceChanged)), step: step)
      entry.round = 3
      entry.changedAtMilliseconds = 7
      return entry
    }
    let bytes = KeptQueue(profileID: "p", entries: entries).bytes
    #expect(try KeptQueue.entries(bytes, of: "p") == entries)
    #expect(throws: OnsideError.self) { try KeptQueue.entries(bytes, of: "q") }
    #expect(throws: OnsideError.self) { try KeptQueue.entries(Array(bytes.dropLast()), of: "p") }
  }
}
