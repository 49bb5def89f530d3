import OnsideClient
import OnsideDomain
import OnsideKit
import OnsideProto
import Testing

extension LibraryTests {
  @Suite("Payments in another storefront") @MainActor struct StorefrontGates {
    /// A product as the first storefront sells it, to a user who is in another one by now.
    private func moved(_ kit: Kit, _ Onside: Onside.Type) async throws -> OnsideProduct {
      try await kit.logIn("user-1", Onside)
      Onside.defaultPaymentQueue().add(observer: kit.observer)
      let coins = try #require(try await Onside.load(["coins"]).get().products.first)
      var request = SetStorefrontRequest(countryCode: "JP")
      request.profile = ProfileName(
        name: .external(ExternalName(appID: KitService.app, externalUserID: "user-1")))
      _ = try await kit.service.sandbox.setStorefront(request)
      await kit.observer.wait { _ in kit.observer.storefronts.contains("JP") }
      return coins
    }

    @Test("The synchronous function is asked, and the payment goes on at the new price")
    func synchronous() async throws {
      try await Kit.run { kit, Onside in
        let coins = try await moved(kit, Onside)
        let gate = Gate(true)
        Onside.defaultPaymentQueue().delegate = gate
        try await Onside.buy(coins).get()
        let bought = try #require(await kit.observer.transaction([.purchased, .failed]))
        #expect(bought.transactionState == .purchased)
        #expect(gate.questions == ["DE to JP"])
        #expect(bought.storefront.countryCode == "JP")
        let price = bought.payment.product.price
        #expect(price.value == 490 && price.currencyCode == "JPY")
        #expect(kit.sheets.map(\.storefront.id) == ["JP"], "nobody saw the old price")
      }
    }

    @Test("The asynchronous function may wait; the main actor goes on meanwhile")
    func asynchronous() async throws {
      try await Kit.run { kit, Onside in
        let coins = try await moved(kit, Onside)
        let gate = SlowGate()
        let queue = Onside.defaultPaymentQueue()
        queue.delegate = gate
        try await Onside.buy(coins).get()
        await gate.asked()
        #expect(queue.transactions.map(\.transactionState) == [.purchasing])
        #expect(kit.sheets.isEmpty)
        gate.answer(true)
        let bought = try #require(await kit.observer.transaction([.purchased, .failed]))
        #expect(bought.transactionState == .purchased && bought.storefront.countryCode == "JP")
      }
    }

    @Test("Where the app says no, nothing is charged", arguments: [false, true])
    func refused(isSlow: Bool) async throws {
      try await Kit.run { kit, Onside in
        let coins = try await moved(kit, Onside)
        let (gate, slow) = (Gate(false), SlowGate())
        Onside.defaultPaymentQueue().delegate = isSlow ? slow : gate
        slow.answer(false)
        let created = try await kit.service.count("PaymentsService/CreatePurchase")
        try await Onside.buy(coins).get()
        let failed = try #require(await kit.observer.transaction([.purchased, .failed]))
        #expect(failed.transactionState == .failed && failed.error == .cancelled)
        #expect(failed.transactionIdentifier == nil && kit.sheets.isEmpty)
        #expect(try await kit.service.matched(created) == 0)
        Onside.defaultPaymentQueue().finishTransaction(failed)
        #expect(await kit.observer.removed().map(\.id) == [failed.id])
      }
    }

    @Test("A logout while the app thinks about it ends the payment; its answer changes nothing")
    func loggedOut() async throws {
      try await Kit.run { kit, Onside in
        let coins = try await moved(kit, Onside)
        let gate = SlowGate()
        let queue = Onside.defaultPaymentQueue()
        queue.delegate = gate
        let created = try await kit.service.count("PaymentsService/CreatePurchase")
        try await Onside.buy(coins).get()
        await gate.asked()
        Onside.logout()
        gate.answer(true)
        try await kit.logIn("user-2", Onside)
        #expect(queue.transactions.isEmpty)
        #expect(try await kit.service.matched(created) == 0)
      }
    }

    @Test("In the same storefront nobody is asked; without a delegate it goes on")
    func notAsked() async throws {
      try await Kit.run { kit, Onside in
        let coins = try await moved(kit, Onside)
        let queue = Onside.defaultPaymentQueue()
        var gate: Gate? = Gate(false)
        queue.delegate = gate
        let anew = try #require(try await Onside.load(["coins"]).get().products.first)
        try await Onside.buy(anew).get()
        let first = try #require(await kit.observer.transaction([.purchased, .failed]))
        #expect(first.transactionState == .purchased && gate?.questions == [])
        queue.finishTransaction(first)
        gate = nil
        #expect(queue.delegate == nil, "it is held weakly")
        try await Onside.buy(coins).get()
        await kit.observer.wait { _ in
          queue.transactions.contains { $0.transactionState == .purchased }
        }
        #expect(queue.transactions.first?.storefront.countryCode == "JP")
      }
    }
  }
}

/// An app that decides at once.
@MainActor private final class Gate: OnsidePaymentQueueDelegate {
  private let goesOn: Bool
  private(set) var questions: [String] = []

  init(_ goesOn: Bool) { self.goesOn = goesOn }

  func onsidePaymentQueue(
    _ queue: any OnsidePaymentQueue, shouldContinue transaction: OnsidePaymentTransaction,
    in storefront: OnsideStorefront
  ) -> Bool {
    questions.append("\(transaction.storefront.countryCode) to \(storefront.countryCode)")
    return goesOn
  }
}

/// An app that asks somebody.
@MainActor private final class SlowGate: OnsidePaymentQueueDelegate {
  private let questions: AsyncStream<Void>
  private let questioned: AsyncStream<Void>.Continuation
  private let answers: AsyncStream<Bool>
  private let answering: AsyncStream<Bool>.Continuation

  init() {
    (questions, questioned) = AsyncStream.makeStream()
    (answers, answering) = AsyncStream.makeStream()
  }

  func asked() async { for await _ in questions { break } }
  func answer(_ goesOn: Bool) { answering.yield(goesOn) }

  func onsidePaymentQueue(
    _ queue: any OnsidePaymentQueue, shouldContinue transaction: OnsidePaymentTransaction,
    in storefront: OnsideStorefront
  ) async -> Bool {
    questioned.yield()
    for await goesOn in answers { return goesOn }
    return false
  }
}
