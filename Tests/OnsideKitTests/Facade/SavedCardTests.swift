import OnsideClient
import OnsideDomain
import OnsideKit
import OnsideProto
import Synchronization
import Testing

extension LibraryTests {
  @Suite("Saved cards") @MainActor struct SavedCards {
    nonisolated private static func card(_ number: String) -> CardEntry {
      CardEntry(number: number, expiryMonth: 12, expiryYear: 2039, securityCode: "123")
    }

    nonisolated private static let visa = card("4242 4242 4242 4242")
    nonisolated private static let mastercard = card("5555 5555 5555 4444")

    /// What a user does on the screen with the cards, one thing after the other.
    private func manage(
      _ kit: Kit, _ Onside: Onside.Type,
      _ wishes: [@Sendable (PaymentMethodsScreen) -> PaymentMethodsAnswer]
    ) async throws -> [PaymentMethodsScreen] {
      let left = Mutex(wishes)
      kit.presenter.script.paymentMethods = { screen in
        left.withLock { $0.isEmpty ? nil : $0.removeFirst() }?(screen) ?? .done
      }
      let before = kit.presenter.shown.count
      try await Onside.showPaymentMethods().get()
      return kit.presenter.shown.dropFirst(before).compactMap {
        if case .paymentMethods(let screen) = $0 { screen } else { nil }
      }
    }

    /// Buys coins, and finishes them.
    private func buy(_ kit: Kit, _ Onside: Onside.Type) async throws -> OnsidePaymentTransaction {
      let queue = Onside.defaultPaymentQueue()
      queue.add(observer: kit.observer)
      let coins = try #require(try await Onside.load(["coins"]).get().products.first)
      try await Onside.buy(coins).get()
      await kit.observer.wait { _ in
        queue.transactions.contains { $0.transactionState != .purchasing }
      }
      let final = try #require(queue.transactions.first)
      queue.finishTransaction(final)
      return final
    }

    @Test("They are added, listed, made the default, and removed; wrong ones are explained")
    func manager() async throws {
      try await Kit.run { kit, Onside in
        try await kit.logInRegularly(Onside)
        let screens = try await manage(
          kit, Onside,
          [
            { _ in .add(Self.visa) }, { _ in .add(Self.card("4242 4242 4242 4241")) },
            { _ in .add(Self.card("4000 0000 0000 9995")) }, { _ in .add(Self.mastercard) },
            { .makeDefault(cardID: $0.cards[1].id) }, { .remove(cardID: $0.cards[0].id) },
          ])
        #expect(
          screens.map { $0.cards.map(\.lastFour) } == [
            [], ["4242"], ["4242"], ["4242"], ["4242", "4444"], ["4242", "4444"], ["4444"],
          ])
        #expect(
          screens.map { $0.problem != nil } == [false, false, true, true, false, false, false])
        #expect(screens[4].cards.map(\.isDefault) == [true, false])
        #expect(screens[5].cards.map(\.isDefault) == [false, true])
        #expect(screens[6].cards.map(\.brand) == ["Mastercard"])
        Onside.logout()
        try await kit.logInRegularly(Onside)
        #expect(try await manage(kit, Onside, []).first?.cards.map(\.lastFour) == ["4444"])
      }
    }

    @Test("A user pays with the usual card, or switches to another way to pay")
    func switching() async throws {
      try await Kit.run { kit, Onside in
        try await kit.logInRegularly(Onside)
        _ = try await manage(
          kit, Onside,
          [
            { _ in .add(Self.visa) }, { _ in .add(Self.mastercard) },
            { .makeDefault(cardID: $0.cards[1].id) },
          ])
        let other = try await kit.otherDevice()
        var paid: [String] = []
        for choice in 0..<4 {
          kit.presenter.script.payment = { $0.answer(choice) }
          let bought = try await buy(kit, Onside)
          #expect(bought.transactionState == .purchased)
          let id = try #require(bought.transactionIdentifier)
          paid.append(try await other.receipt(transactionID: id).paymentMethod)
        }
        let names = kit.sheets.first?.methods.map(\.name)
        #expect(names == ["4444", "Apple Pay", "4242", "new"], "the usual one first")
        #expect(paid == ["Mastercard 4444", "Apple Pay", "Visa 4242", "Visa 1111"])
        #expect(try await manage(kit, Onside, []).first?.cards.count == 3, "the new one is kept")
      }
    }

    @Test(
      "Each outcome of a card comes to the app",
      arguments: [
        ("4000 0000 0000 0002", OnsidePaymentTransactionState.failed),
        ("4000 0000 0000 3220", .failed), ("4000 0000 0000 0341", .purchased),
        ("4000 0000 0000 9987", .purchased),
      ])
    func outcomes(number: String, state: OnsidePaymentTransactionState) async throws {
      try await Kit.run { kit, Onside in
        try await kit.logInRegularly(Onside)
        kit.presenter.script.payment = { _ in .newCard(Self.card(number)) }
        let final = try await buy(kit, Onside)
        #expect(final.transactionState == state)
        #expect(final.error == (state == .failed ? .cancelled : nil))
      }
    }

    @Test("A card that has to be approved is deferred until somebody has")
    func deferred() async throws {
      try await Kit.run { kit, Onside in
        try await kit.logInRegularly(Onside)
        kit.presenter.script.payment = { _ in .newCard(Self.card("4000 0025 0000 3155")) }
        let queue = Onside.defaultPaymentQueue()
        queue.add(observer: kit.observer)
        let coins = try #require(try await Onside.load(["coins"]).get().products.first)
        try await Onside.buy(coins).get()
        await kit.observer.wait { _ in queue.transactions.contains { $0.isDeferred } }
        let waiting = try #require(queue.transactions.first)
        #expect(waiting.transactionState == .purchasing)
        let id = try #require(waiting.transactionIdentifier)
        _ = try await kit.service.sandbox.decideDeferredPurchase(
          DecideDeferredPurchaseRequest(transactionID: id, approve: true))
        let bought = try #require(await kit.observer.transaction([.purchased, .failed]))
        #expect(bought.isSame(as: waiting) && bought.transactionState == .purchased)
      }
    }
  }
}

extension PaymentSheet {
  /// Pays with the method at a place of the list.
  fileprivate func answer(_ place: Int) -> PaymentAnswer {
    switch methods[place] {
    case .applePay: .applePay(token: "sandbox-paid")
    case .savedCard(let card): .savedCard(id: card.id)
    case .newCard:
      .newCard(
        CardEntry(
          number: "4111 1111 1111 1111", expiryMonth: 1, expiryYear: 2039, securityCode: "123"))
    }
  }
}

extension PaymentSheet.Method {
  fileprivate var name: String {
    switch self {
    case .applePay: "Apple Pay"
    case .savedCard(let card): card.lastFour
    case .newCard: "new"
    }
  }
}
