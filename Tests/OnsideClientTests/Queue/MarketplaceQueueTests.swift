import OnsideDomain
import OnsideProto
import RPC
import Synchronization
import Testing

@testable import OnsideClient

@Suite(.timeLimit(.minutes(1))) struct MarketplaceQueueTests {
  private func phone(_ presenter: ScriptedPresenter) {
    presenter.script.phoneNumber = { _ in .number("+491701234567") }
    presenter.script.phoneCode = { _ in .code("123456") }
  }

  @Test func aPaymentIsPurchasedAndFinishedByTheApp() async throws {
    let shop = try Shop()
    let recorder = Recorder(shop.marketplace)
    let payment = Payment(try await shop.product(), appAccountToken: "order 7")
    let transaction = try await shop.marketplace.add(payment)
    await recorder.until(.purchased)
    #expect(recorder.updates.map(\.state) == [.purchasing, .purchased])
    #expect(recorder.updates.allSatisfy { $0.id == transaction.id })
    let bought = try #require(recorder.updates.last)
    #expect(bought.transactionID != nil)
    #expect(bought.payment.appAccountToken == "order 7")
    // Case B28: nothing is finished but by the app.
    #expect(shop.service.calls("FinishTransaction").isEmpty)
    #expect(shop.marketplace.transactions == [bought])
    try shop.marketplace.finish(transaction.id)
    await recorder.until { $0.contains(.removed([bought])) }
    #expect(shop.marketplace.transactions.isEmpty)
    // Case B30: a second time is typed, and does nothing.
    let again = await problem { try shop.marketplace.finish(transaction.id) }
    #expect(again?.code == .unknownTransaction)
  }

  /// Case B23: a queue without an observer waits for one.
  @Test func nothingIsDoneUntilThereIsAnObserver() async throws {
    let shop = try Shop()
    let transaction = try await shop.marketplace.add(Payment(try await shop.product()))
    #expect(shop.marketplace.transactions.map(\.id) == [transaction.id])
    #expect(shop.presenter.shown.isEmpty)
    #expect(shop.service.calls("CreatePurchase").isEmpty)
    let recorder = Recorder(shop.marketplace)
    await recorder.until(.purchased)
    #expect(recorder.updates.map(\.state) == [.purchasing, .purchased])
  }

  /// The modern face: transactions one after the other; the queue rests when nobody iterates.
  @Test func updatesAreASequence() async throws {
    let shop = try Shop()
    try await shop.marketplace.add(Payment(try await shop.product()))
    var states: [PaymentTransaction.State] = []
    for await transaction in shop.marketplace.transactionUpdates() {
      states.append(transaction.state)
      guard transaction.isFinal else { continue }
      try shop.marketplace.finish(transaction.id)
      break
    }
    #expect(states == [.purchasing, .purchased])
    while shop.marketplace.state.withLock({ $0.queue.isObserved }) { await Task.yield() }
    try await shop.marketplace.add(Payment(try await shop.product()))
    #expect(shop.service.calls("CreatePurchase").count == 1)
  }

  @Test func aClosedMarketplaceEndsItsSequences() async throws {
    let shop = try Shop()
    let events = shop.marketplace.observe()
    try await shop.marketplace.logIn()
    shop.marketplace.close()
    var count = 0
    for await _ in events { count += 1 }
    #expect(count == 2)
    for await _ in shop.marketplace.observe() { Issue.record("it is closed") }
    await shop.marketplace.logOut().value
    #expect(await problem { try await shop.marketplace.logIn() }?.code == .cancelled)
  }

  /// Case B22: each observer gets what is unfinished once.
  @Test func aLaterObserverGetsWhatIsUnfinishedOnce() async throws {
    let shop = try Shop()
    let first = Recorder(shop.marketplace)
    try await shop.marketplace.add(Payment(try await shop.product()))
    await first.until(.purchased)
    let second = Recorder(shop.marketplace)
    await second.until(.purchased)
    try await shop.marketplace.add(Payment(try await shop.product("gems")))
    await first.until(.purchased, count: 2)
    await second.until(.purchased, count: 2)
    #expect(second.updates.map(\.state) == [.purchased, .purchasing, .purchased])
    #expect(first.updates.filter { $0.state == .purchased }.count == 2)
  }

  @Test func anExternalProfileBuysConsumablesOnly() async throws {
    let shop = try Shop()
    // Loaded before the login, so that it is there to be bought.
    let gate = try await shop.product("gate")
    let error = await problem { try await shop.marketplace.add(Payment(gate)) }
    #expect(error?.code == .notSupportedForExternalLogin)
    #expect(shop.marketplace.transactions.isEmpty)
    #expect(shop.service.calls("CreatePurchase").isEmpty)
  }

  /// Case B13: the conflict is seen before anything is charged, or in the queue.
  @Test func anExternalProfilePaysThroughApplePayOnly() async throws {
    let shop = try Shop()
    shop.presenter.script.isApplePayAvailable = false
    let coins = try await shop.product()
    let error = await problem { try await shop.marketplace.add(Payment(coins)) }
    #expect(error?.code == .applePayRequired)
    #expect(shop.marketplace.transactions.isEmpty)
  }

  /// The rules follow the profile, not the presence of an external account.
  @Test func afterAFallbackTheRegularRulesApply() async throws {
    let shop = try Shop(user: nil)
    shop.presenter.script.isApplePayAvailable = false
    shop.marketplace.host = MarketplaceHost(externalAccount: { nil }, loginMethod: { .local })
    phone(shop.presenter)
    let card = CardEntry(
      number: "4111", expiryMonth: 1, expiryYear: 2030, securityCode: "123")
    shop.presenter.script.payment = { _ in .newCard(card) }
    let recorder = Recorder(shop.marketplace)
    try await shop.marketplace.add(Payment(try await shop.product("gate")))
    await recorder.until(.purchased)
    // The card is kept, and offered first the next time.
    try await shop.marketplace.add(Payment(try await shop.product()))
    await recorder.until(.purchased, count: 2)
    let sheets = shop.presenter.shown.compactMap { shown -> PaymentSheet? in
      if case .payment(let sheet) = shown { sheet } else { nil }
    }
    #expect(sheets.first?.methods == [.newCard])
    #expect(sheets.last?.methods.count == 2)
  }

  @Test(arguments: [
    (PaymentAnswer.cancel, PaymentTransaction.Failure.Code.cancelled),
    (.presentationFailed, .presentationFailed),
  ]) func aPaymentThatIsntMadeFails(
    _ answer: PaymentAnswer, _ code: PaymentTransaction.Failure.Code
  ) async throws {
    let shop = try Shop()
    shop.presenter.script.payment = { _ in answer }
    let recorder = Recorder(shop.marketplace)
    try await shop.marketplace.add(Payment(try await shop.product()))
    await recorder.until(.failed)
    #expect(recorder.updates.last?.failure?.code == code)
    #expect(shop.service.calls("CreatePurchase").isEmpty)
  }

  @Test func aDeclinedPaymentFails() async throws {
    let shop = try Shop()
    shop.service.books.withLock { $0.outcome = .failed }
    let recorder = Recorder(shop.marketplace)
    try await shop.marketplace.add(Payment(try await shop.product()))
    await recorder.until(.failed)
    #expect(recorder.updates.last?.failure?.code == .declined)
    #expect(recorder.updates.last?.transactionID != nil)
  }

  /// Case B38: deferred is told once, and the approval is news.
  @Test func aDeferredPurchaseIsApprovedLater() async throws {
    let shop = try Shop()
    shop.service.books.withLock { $0.outcome = .deferred }
    let recorder = Recorder(shop.marketplace)
    let transaction = try await shop.marketplace.add(Payment(try await shop.product()))
    await recorder.until { events in
      events.contains { event in
        if case .updated(let list) = event { list.contains(where: \.isDeferred) } else { false }
      }
    }
    let error = await problem { try shop.marketplace.finish(transaction.id) }
    #expect(error?.reason == .transactionNotFinal)
    shop.service.approve(try #require(recorder.updates.last?.transactionID))
    await recorder.until(.purchased)
    let updates = recorder.updates
    #expect(updates.map(\.state) == [.purchasing, .purchasing, .purchased])
    #expect(updates.map(\.isDeferred) == [false, true, false])
    #expect(Set(updates.map(\.id)).count == 1)
  }

  /// Case B31: a reply that is lost doesn't charge twice.
  @Test func aLostReplyIsAskedForAgainWithTheSameKey() async throws {
    let shop = try Shop()
    shop.service.after("CreatePurchase") { call in
      if call < 4 { throw RPCError(.unavailable, "the reply was lost") }
    }
    let recorder = Recorder(shop.marketplace)
    try await shop.marketplace.add(Payment(try await shop.product()))
    await recorder.until(.purchased)
    #expect(Set(shop.service.calls("CreatePurchase")).count == 1)
    #expect(shop.service.calls("CreatePurchase").count == 4)
    #expect(shop.service.books.withLock { $0.charges.count } == 1)
    #expect(recorder.updates.filter { $0.state == .purchased }.count == 1)
  }

  /// Case B26: the watch tells of the purchase before its reply is there.
  @Test func newsOfThePurchaseUnderWayIsNoSecondPurchase() async throws {
    let shop = try Shop()
    let recorder = Recorder(shop.marketplace)
    try await shop.marketplace.logIn()
    let told = Gate()
    // The watch has told it when the next thing that it tells has come.
    shop.service.after("CreatePurchase") { _ in
      shop.service.move("anna", to: "FR")
      await told.wait()
    }
    try await shop.marketplace.add(Payment(try await shop.product()))
    await recorder.until { events in
      events.contains {
        if case .storefrontChanged(let place) = $0 { place?.id == "FR" } else { false }
      }
    }
    told.open()
    await recorder.until(.purchased)
    #expect(shop.marketplace.transactions.count == 1)
    #expect(Set(recorder.updates.map(\.id)).count == 1)
  }

  /// Case B26: what is owned already is given back, and isn't a failure.
  @Test func whatIsOwnedIsGivenBack() async throws {
    let shop = try Shop(user: nil)
    shop.marketplace.host.loginMethod = { .local }
    phone(shop.presenter)
    let recorder = Recorder(shop.marketplace)
    let gate = try await shop.product("gate")
    let first = try await shop.marketplace.add(Payment(gate))
    await recorder.until(.purchased)
    try shop.marketplace.finish(first.id)
    try await shop.marketplace.add(Payment(gate))
    await recorder.until(.restored)
    let transactions = recorder.updates
    #expect(
      transactions.last?.transactionID
        == transactions.first { $0.state == .purchased }?.transactionID)
    #expect(shop.service.books.withLock { $0.charges.count } == 1)
  }

  @Test func anotherDevicesPurchaseComesToTheQueue() async throws {
    let shop = try Shop()
    let recorder = Recorder(shop.marketplace)
    try await shop.marketplace.logIn()
    let id = shop.service.buyElsewhere("anna", "gems")
    await recorder.until(.purchased)
    #expect(recorder.updates.map(\.transactionID) == [id])
  }

  /// What is unfinished, and what was sent, survives the process.
  @Test func unfinishedTransactionsComeAtTheNextLaunch() async throws {
    let shop = try Shop()
    let recorder = Recorder(shop.marketplace)
    let bought = try await shop.marketplace.add(Payment(try await shop.product()))
    await recorder.until(.purchased)
    _ = await shop.marketplace.saved()
    shop.marketplace.close()
    let next = try Shop(service: shop.service, store: shop.store)
    await next.marketplace.start()
    let later = Recorder(next.marketplace)
    await later.until(.purchased)
    #expect(later.updates.map(\.id) == [bought.id])
    try next.marketplace.finish(bought.id)
    await later.until { events in
      events.contains { if case .removed = $0 { true } else { false } }
    }
    _ = await next.marketplace.saved()
    next.marketplace.close()
    let last = try Shop(service: shop.service, store: shop.store)
    await last.marketplace.start()
    #expect(last.marketplace.transactions.isEmpty)
  }

  /// Case B31: the key is on disk before anything is sent, and is sent again after a crash.
  @Test func aPurchaseThatWasSentBeforeACrashIsNotMadeTwice() async throws {
    let shop = try Shop()
    let charged = Gate()
    shop.service.after("CreatePurchase") { call in
      guard call == 1 else { return }
      charged.open()
      throw RPCError(.unavailable, "the reply was lost")
    }
    let down = Gate()
    shop.service.before("CreatePurchase") { call in
      if call > 1 { await down.wait() }
    }
    let recorder = Recorder(shop.marketplace)
    try await shop.marketplace.add(Payment(try await shop.product()))
    await charged.wait()
    shop.marketplace.close()
    down.open()
    let next = try Shop(service: shop.service, store: shop.store)
    let later = Recorder(next.marketplace)
    await later.until(.purchased)
    #expect(shop.service.books.withLock { $0.charges.count } == 1)
    #expect(next.marketplace.transactions.count == 1)
    #expect(recorder.updates.first?.id == later.updates.last?.id)
  }

  @Test func withoutADiskNothingIsSent() async throws {
    let shop = try Shop(store: BrokenStore())
    let recorder = Recorder(shop.marketplace)
    try await shop.marketplace.add(Payment(try await shop.product()))
    await recorder.until(.failed)
    #expect(recorder.updates.last?.failure?.code == .storeFailed)
    #expect(shop.service.calls("CreatePurchase").isEmpty)
  }

  private struct BrokenStore: StateStore {
    func load(_ name: String) async throws(OnsideError) -> [UInt8]? { nil }
    func remove(_ name: String) async throws(OnsideError) {}
    func close() async {}
    func save(_ name: String, revision: UInt64, _ bytes: [UInt8]) async throws(OnsideError) {
      throw OnsideError(.storeFailed, "no space left")
    }
  }

  @Test func anotherUserGetsNothingOfTheFirst() async throws {
    let shop = try Shop()
    let recorder = Recorder(shop.marketplace)
    let bought = try await shop.marketplace.add(Payment(try await shop.product()))
    await recorder.until(.purchased)
    await shop.marketplace.logOut().value
    #expect(shop.marketplace.transactions.isEmpty)
    shop.marketplace.host.externalAccount = { "bert" }
    try await shop.marketplace.logIn()
    #expect(shop.marketplace.transactions.isEmpty)
    let error = await problem { try shop.marketplace.finish(bought.id) }
    #expect(error?.code == .unknownTransaction)
    await shop.marketplace.logOut().value
    shop.marketplace.host.externalAccount = { "anna" }
    try await shop.marketplace.logIn()
    #expect(shop.marketplace.transactions.map(\.id) == [bought.id])
  }
}
