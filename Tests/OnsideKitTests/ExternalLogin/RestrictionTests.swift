import OnsideClient
import OnsideKit
@testable import OnsideKitCore
import Testing

extension LibraryTests {
  @Suite("External login: product and payment support") @MainActor struct Restrictions {
    /// Signs an external user in.
    private func logIn<Edition>(
      _ kit: Kit, _ Onside: OnsideFacade<Edition>.Type
    ) async throws {
      kit.external.currentUserID = "user-1"
      Onside.externalLoginDelegate = kit.external
      try await Onside.requestLogin().get()
    }

    @Test("Consumable purchases are supported through Apple Pay; observers process them as ever")
    func consumable() async throws {
      try await Kit.run { kit, Onside in
        try await logIn(kit, Onside)
        let queue = Onside.defaultPaymentQueue()
        queue.add(observer: kit.observer)
        let coins = try #require(try await Onside.load(["coins"]).get().products.first)
        #expect(coins.price.value == 4.99 && coins.price.currencyCode == "EUR")
        try await Onside.buy(coins).get()
        let bought = try #require(await kit.observer.transaction([.purchased, .failed]))
        #expect(bought.transactionState == .purchased)
        #expect(bought.transactionIdentifier != nil && bought.storefront.countryCode == "DE")
        queue.finishTransaction(bought)
        #expect(await kit.observer.removed().map(\.id) == [bought.id])
        #expect(queue.transactions.isEmpty)
      }
    }

    @Test("Non-consumables and subscriptions are excluded from product results")
    func excluded() async throws {
      try await Kit.run { kit, Onside in
        try await logIn(kit, Onside)
        let response = try await Onside.load(["coins", "no-ads", "club", "x"]).get()
        #expect(response.products.map(\.productIdentifier) == ["coins"])
        #expect(Set(response.unsupportedProductIdentifiers) == ["no-ads", "club"])
        #expect(response.invalidProductIdentifiers == ["x"])
      }
    }

    @Test("Products are refreshed after login: what was supported before is not any more")
    func refreshed() async throws {
      try await Kit.run { kit, Onside in
        Onside.defaultPaymentQueue().add(observer: kit.observer)
        let before = try await Onside.load(["no-ads"]).get()
        #expect(before.products.map(\.productIdentifier) == ["no-ads"])
        #expect(before.unsupportedProductIdentifiers.isEmpty)
        try await logIn(kit, Onside)
        await kit.observer.wait { _ in !kit.observer.storefronts.isEmpty }
        #expect(kit.observer.storefronts.first == "DE")
        let after = try await Onside.load(["no-ads"]).get()
        #expect(after.products.isEmpty && after.unsupportedProductIdentifiers == ["no-ads"])
      }
    }

    @Test(
      "Buying a previously loaded product fails with .notSupportedForExternalLogin, not enqueued",
      arguments: ["no-ads", "club"])
    func loadedBefore(identifier: String) async throws {
      try await Kit.run { kit, Onside in
        let product = try #require(try await Onside.load([identifier]).get().products.first)
        try await logIn(kit, Onside)
        Onside.defaultPaymentQueue().add(observer: kit.observer)
        guard case .failure(.notSupportedForExternalLogin) = await Onside.buy(product) else {
          Issue.record("an external profile bought \(identifier)")
          return
        }
        #expect(Onside.defaultPaymentQueue().transactions.isEmpty)
      }
    }

    @Test("The restriction is the profile's that the purchase itself signs in")
    func signsIn() async throws {
      try await Kit.run { kit, Onside in
        let product = try #require(try await Onside.load(["no-ads"]).get().products.first)
        kit.external.currentUserID = "user-1"
        Onside.externalLoginDelegate = kit.external
        guard case .failure(.notSupportedForExternalLogin) = await Onside.buy(product) else {
          Issue.record("an external profile bought no-ads")
          return
        }
      }
    }

    @Test("Saved bank cards and payment-method switching are unavailable")
    func methods() async throws {
      try await Kit.run { kit, Onside in
        try await logIn(kit, Onside)
        Onside.defaultPaymentQueue().add(observer: kit.observer)
        let coins = try #require(try await Onside.load(["coins"]).get().products.first)
        try await Onside.buy(coins).get()
        _ = await kit.observer.transaction([.purchased, .failed])
        let sheets = kit.presenter.shown.compactMap {
          if case .payment(let sheet) = $0 { sheet.methods } else { nil }
        }
        #expect(sheets == [[.applePay]])
      }
    }

    @Test("The payment methods manager fails with .notSupportedForExternalLogin")
    func manager() async throws {
      try await Kit.run { kit, Onside in
        try await logIn(kit, Onside)
        guard case .failure(.notSupportedForExternalLogin) = await Onside.showPaymentMethods()
        else {
          Issue.record("an external profile has no saved cards")
          return
        }
      }
    }

    @Test("A consumable without Apple Pay fails with .applePayRequired before enqueueing")
    func withoutApplePay() async throws {
      try await Kit.run { kit, Onside in
        kit.presenter.script.isApplePayAvailable = false
        try await logIn(kit, Onside)
        try await expectApplePayRequired(kit, Onside)
      }
    }

    @Test("This includes OnsideKitLite, also where the device has Apple Pay")
    func lite() async throws {
      try await Kit.run(LiteEdition.self) { kit, Onside in
        #expect(kit.presenter.isApplePayAvailable)
        try await logIn(kit, Onside)
        try await expectApplePayRequired(kit, Onside)
      }
    }

    private func expectApplePayRequired<Edition>(
      _ kit: Kit, _ Onside: OnsideFacade<Edition>.Type
    ) async throws {
      let queue = Onside.defaultPaymentQueue()
      queue.add(observer: kit.observer)
      let coins = try #require(try await Onside.load(["coins"]).get().products.first)
      guard case .failure(.applePayRequired) = await Onside.buy(coins) else {
        Issue.record("an external profile paid without Apple Pay")
        return
      }
      #expect(queue.transactions.isEmpty, "a rejected attempt has no transaction to finish")
      #expect(!kit.presenter.shown.contains { if case .payment = $0 { true } else { false } })
    }

    @Test("The public storefront exposes id and countryCode, not an isExternal property")
    func storefront() async throws {
      try await Kit.run { kit, Onside in
        try await logIn(kit, Onside)
        let storefront = try #require(Onside.defaultPaymentQueue().storefront)
        #expect(Mirror(reflecting: storefront).children.map(\.label) == ["id", "countryCode"])
        #expect(storefront.id == "DE-1")
      }
    }

    @Test("appAccountToken is separate: never populated by the identifier, and kept as it is set")
    func token() async throws {
      try await Kit.run { kit, Onside in
        try await logIn(kit, Onside)
        let queue = Onside.defaultPaymentQueue()
        queue.add(observer: kit.observer)
        let coins = try #require(try await Onside.load(["coins"]).get().products.first)
        for token in [nil, "order 12 / not a UUID"] {
          try await Onside.buy(coins, token: token).get()
          await kit.observer.wait { _ in queue.transactions.contains { $0.isFinal } }
          let bought = try #require(queue.transactions.first)
          #expect(bought.payment.appAccountToken == token)
          queue.finishTransaction(bought)
        }
      }
    }

    @Test("A purchase brings the reminder, with its screen asked of the app's delegate")
    func reminder() async throws {
      try await Kit.run { kit, Onside in
        let (shown, shows) = AsyncStream.makeStream(of: ReceiptReminderScreen.self)
        kit.presenter.script.receiptReminder = { screen in
          shows.yield(screen)
          return .skip
        }
        try await logIn(kit, Onside)
        Onside.defaultPaymentQueue().add(observer: kit.observer)
        let coins = try #require(try await Onside.load(["coins"]).get().products.first)
        try await Onside.buy(coins).get()
        var reminders = shown.makeAsyncIterator()
        let reminder = try #require(await reminders.next())
        #expect(reminder.transaction.payment.product.identifier == "coins")
        #expect(kit.app.screens.contains(.externalAccountNotification))
      }
    }

    @Test("The observer's processing doesn't wait for the reminder")
    func observerFirst() async throws {
      try await Kit.run { kit, Onside in
        let (closed, closes) = AsyncStream.makeStream(of: Void.self)
        kit.presenter.script.receiptReminder = { _ in
          for await _ in closed { break }
          return .skip
        }
        try await logIn(kit, Onside)
        let queue = Onside.defaultPaymentQueue()
        queue.add(observer: kit.observer)
        let coins = try #require(try await Onside.load(["coins"]).get().products.first)
        try await Onside.buy(coins).get()
        let bought = try #require(await kit.observer.transaction([.purchased, .failed]))
        queue.finishTransaction(bought)
        #expect(await kit.observer.removed().map(\.id) == [bought.id])
        closes.finish()
      }
    }
  }
}

extension OnsidePaymentTransaction {
  /// The app has to finish it.
  fileprivate var isFinal: Bool { transactionState != .purchasing }
}
