import OnsideDomain
import OnsideProto
import RPC
import Synchronization
import Testing

@testable import OnsideClient

/// Storefronts, restores, receipts, and watches that break.
@Suite(.timeLimit(.minutes(1))) struct MarketplaceStorefrontTests {
  private func moved(to country: String?) -> @Sendable ([MarketplaceEvent]) -> Bool {
    { events in
      events.contains { event in
        if case .storefrontChanged(let place) = event { place?.id == country } else { false }
      }
    }
  }

  /// Case B43: a product of another storefront isn't bought without the app's consent, and then at
  /// the price that holds now.
  @Test func inAnotherStorefrontTheAppIsAsked() async throws {
    let shop = try Shop()
    try await shop.marketplace.logIn()
    let product = try await shop.product()
    let recorder = Recorder(shop.marketplace)
    shop.service.move("anna", to: "FR")
    shop.service.books.withLock { $0.prices["coins"] = 599 }
    await recorder.until(moved(to: "FR"))
    let asked = Mutex<[String]>([])
    shop.marketplace.host.continues = { transaction, storefront in
      asked.withLock { $0.append("\(transaction.storefront.id)-\(storefront.id)") }
      return true
    }
    try await shop.marketplace.add(Payment(product))
    await recorder.until(.purchased)
    #expect(asked.withLock { $0 } == ["DE-FR"])
    #expect(recorder.updates.last?.storefront.id == "FR")
    #expect(recorder.updates.last?.payment.product.price.minorUnits == 599)
  }

  @Test func aPurchaseThatTheAppStopsIsCancelled() async throws {
    let shop = try Shop()
    try await shop.marketplace.logIn()
    let product = try await shop.product()
    let recorder = Recorder(shop.marketplace)
    shop.service.move("anna", to: "FR")
    await recorder.until(moved(to: "FR"))
    shop.marketplace.host.continues = { _, _ in false }
    try await shop.marketplace.add(Payment(product))
    await recorder.until(.failed)
    #expect(recorder.updates.last?.failure?.code == .cancelled)
    #expect(shop.service.calls("CreatePurchase").isEmpty)
  }

  @Test func inTheSameStorefrontTheAppIsNotAsked() async throws {
    let shop = try Shop()
    let recorder = Recorder(shop.marketplace)
    shop.marketplace.host.continues = { _, _ in
      Issue.record("nothing has changed")
      return false
    }
    try await shop.marketplace.add(Payment(try await shop.product()))
    await recorder.until(.purchased)
  }

  /// The storefront changes while the payment sheet is open: the service refuses, the app is asked.
  @Test func aChangeDuringThePaymentIsSeenByTheService() async throws {
    let shop = try Shop()
    let service = shop.service
    let isFirst = Mutex(true)
    shop.presenter.script.payment = { _ in
      if isFirst.withLock({ first in
        defer { first = false }
        return first
      }) {
        // Without the watch's knowledge.
        service.books.withLock {
          $0.accounts["external-anna"]?.profile.storefront = .init(id: "FR", countryCode: "FR")
        }
      }
      return .applePay(token: "t")
    }
    let recorder = Recorder(shop.marketplace)
    try await shop.marketplace.add(Payment(try await shop.product()))
    await recorder.until(.purchased)
    #expect(recorder.updates.last?.storefront.id == "FR")
    #expect(Set(service.calls("CreatePurchase")).count == 2)
    #expect(service.books.withLock { $0.charges.count } == 1)
  }

  @Test func aChangedPriceIsShownBeforeItIsPaid() async throws {
    let shop = try Shop()
    let product = try await shop.product()
    shop.service.books.withLock { $0.prices["coins"] = 799 }
    let recorder = Recorder(shop.marketplace)
    try await shop.marketplace.add(Payment(product))
    await recorder.until(.purchased)
    let prices = shop.presenter.shown.compactMap { shown -> Int64? in
      if case .payment(let sheet) = shown { sheet.product.price.minorUnits } else { nil }
    }
    #expect(prices == [499, 799])
  }

  // MARK: Restoring

  private func regular() throws -> Shop {
    let shop = try Shop(user: nil)
    shop.marketplace.host.loginMethod = { .local }
    shop.presenter.script.phoneNumber = { _ in .number("+491701234567") }
    shop.presenter.script.phoneCode = { _ in .code("123456") }
    return shop
  }

  @Test func aRestoreBringsWhatIsOwned() async throws {
    let shop = try regular()
    let recorder = Recorder(shop.marketplace)
    for id in ["gate", "coins"] {
      let bought = try await shop.marketplace.add(Payment(try await shop.product(id)))
      await recorder.until { events in
        events.contains { event in
          guard case .updated(let list) = event else { return false }
          return list.contains { $0.id == bought.id && $0.state == .purchased }
        }
      }
      try shop.marketplace.finish(bought.id)
    }
    try await shop.marketplace.restoreCompletedTransactions()
    await recorder.until { $0.contains(.restoreFinished) }
    let restored = recorder.updates.filter { $0.state == .restored }
    #expect(restored.map(\.payment.product.identifier) == ["gate"])
    #expect(restored.first?.originalTransactionID != nil)
    try shop.marketplace.finish(try #require(restored.first).id)
    #expect(shop.marketplace.transactions.isEmpty)
  }

  /// Case B35: with nothing to restore, with an error, and after a logout, it ends.
  @Test func aRestoreAlwaysEnds() async throws {
    let shop = try Shop()
    let recorder = Recorder(shop.marketplace)
    try await shop.marketplace.restoreCompletedTransactions()
    await recorder.until { $0.contains(.restoreFinished) }
    shop.service.before("ListPurchases") { _ in throw RPCError(.unavailable, "down") }
    try await shop.marketplace.restoreCompletedTransactions()
    await recorder.until { events in
      events.contains {
        if case .restoreFailed(let error) = $0 { error.code == .unavailable } else { false }
      }
    }
    let arrived = Gate()
    let answer = Gate()
    shop.service.before("ListPurchases") { _ in
      arrived.open()
      await answer.wait()
    }
    try await shop.marketplace.restoreCompletedTransactions()
    await arrived.wait()
    shop.marketplace.logOut()
    await recorder.until { events in
      events.contains {
        if case .restoreFailed(let error) = $0 { error.code == .superseded } else { false }
      }
    }
    answer.open()
  }

  @Test func aRestoreWhoseLoginIsClosedEndsAtOnce() async throws {
    let shop = try Shop(user: nil)
    let error = await problem { try await shop.marketplace.restoreCompletedTransactions() }
    #expect(error?.code == .loginDiscarded)
  }

  // MARK: Receipts

  @Test func anExternalPurchaseIsFollowedByAReceiptThatNobodyWaitsFor() async throws {
    let shop = try Shop()
    let gate = Gate()
    let shown = Gate()
    shop.presenter.script.receiptReminder = { _ in
      shown.open()
      await gate.wait()
      return .receipt
    }
    let recorder = Recorder(shop.marketplace)
    let bought = try await shop.marketplace.add(Payment(try await shop.product()))
    await recorder.until(.purchased)
    try shop.marketplace.finish(bought.id)
    await shown.wait()
    let asked = Gate()
    shop.service.after("GetReceipt") { _ in asked.open() }
    gate.open()
    await asked.wait()
    #expect(shop.marketplace.transactions.isEmpty)
  }

  @Test func aRegularPurchaseIsNotFollowedByAReceipt() async throws {
    let shop = try regular()
    let recorder = Recorder(shop.marketplace)
    try await shop.marketplace.add(Payment(try await shop.product()))
    await recorder.until(.purchased)
    #expect(
      !shop.presenter.shown.contains {
        if case .receiptReminder = $0 { true } else { false }
      })
  }

  // MARK: Watching

  /// After a lost connection the watch goes on from its cursor: nothing is lost, nothing told
  /// twice.
  @Test func aWatchGoesOnFromItsCursor() async throws {
    let shop = try Shop()
    let recorder = Recorder(shop.marketplace)
    try await shop.marketplace.logIn()
    _ = shop.service.buyElsewhere("anna", "gems")
    await recorder.until(.purchased)
    let again = Gate()
    shop.service.before("WatchTransactions") { _ in await again.wait() }
    shop.service.cutWatches()
    _ = shop.service.buyElsewhere("anna", "coins")
    shop.service.move("anna", to: "FR")
    again.open()
    await recorder.until(moved(to: "FR"))
    #expect(recorder.updates.map(\.payment.product.identifier) == ["gems", "coins"])
    #expect(shop.service.calls("WatchTransactions").last == "1")
  }

  @Test func aListThatCantBeLoadedIsAskedForAgain() async throws {
    let shop = try Shop()
    let recorder = Recorder(shop.marketplace)
    try await shop.marketplace.logIn()
    await shop.marketplace.logOut().value
    _ = shop.service.buyElsewhere("anna", "gems")
    let failures = Mutex(3)
    shop.service.before("ListTransactions") { _ in
      let fails = failures.withLock { left in
        left -= 1
        return left >= 0
      }
      if fails { throw RPCError(.unavailable, "down") }
    }
    try await shop.marketplace.logIn()
    await recorder.until(.purchased)
    #expect(shop.service.calls("ListTransactions").count >= 4)
  }

  @Test func aCursorThatIsTooOldMeansListingAgain() async throws {
    let shop = try Shop()
    let recorder = Recorder(shop.marketplace)
    try await shop.marketplace.logIn()
    _ = shop.service.buyElsewhere("anna", "gems")
    await recorder.until(.purchased)
    let refusals = Mutex(1)
    shop.service.before("WatchTransactions") { _ in
      let isRefused = refusals.withLock { left in
        left -= 1
        return left >= 0
      }
      if isRefused {
        throw RPCError(
          .outOfRange, "too old", info: ErrorInfo(reason: "CURSOR_INVALID", domain: "onside.v1"))
      }
    }
    shop.service.cutWatches()
    _ = shop.service.buyElsewhere("anna", "coins")
    await recorder.until(.purchased, count: 2)
    #expect(shop.marketplace.transactions.count == 2)
  }
}
