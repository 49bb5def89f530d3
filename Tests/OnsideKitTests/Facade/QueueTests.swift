import Foundation
import OnsideClient
import OnsideKit
@testable import OnsideKitCore
import Testing

extension LibraryTests {
  @Suite("The payment queue") @MainActor struct Queue {
    private func coins(_ kit: Kit, _ Onside: Onside.Type) async throws -> OnsideProduct {
      kit.external.currentUserID = "user-1"
      Onside.externalLoginDelegate = kit.external
      return try #require(try await Onside.load(["coins"]).get().products.first)
    }

    private func sheets(_ kit: Kit) -> Int {
      kit.presenter.shown.filter { if case .payment = $0 { true } else { false } }.count
    }

    @Test("It is one for the process, and idle until it has an observer")
    func idle() async throws {
      try await Kit.run { kit, Onside in
        let queue = Onside.defaultPaymentQueue()
        #expect(queue === Onside.defaultPaymentQueue())
        try await Onside.buy(try await coins(kit, Onside)).get()
        #expect(queue.transactions.map(\.transactionState) == [.purchasing])
        #expect(sheets(kit) == 0)
        queue.add(observer: kit.observer)
        let bought = try #require(await kit.observer.transaction([.purchased, .failed]))
        #expect(bought.transactionState == .purchased && sheets(kit) == 1)
      }
    }

    @Test("Observers are held weakly, and are there once")
    func observers() async throws {
      try await Kit.run { kit, Onside in
        let queue = Onside.defaultPaymentQueue()
        var second: RecordingObserver? = RecordingObserver()
        for _ in 0..<2 {
          queue.add(observer: kit.observer)
          if let second { queue.add(observer: second) }
        }
        #expect(queue.transactionObservers.count == 2)
        weak let released = second
        second = nil
        #expect(released == nil && queue.transactionObservers.count == 1)
        queue.remove(observer: kit.observer)
        #expect(queue.transactionObservers.isEmpty)
      }
    }

    @Test("Each observer is told what is unfinished")
    func unfinished() async throws {
      try await Kit.run { kit, Onside in
        let queue = Onside.defaultPaymentQueue()
        queue.add(observer: kit.observer)
        try await Onside.buy(try await coins(kit, Onside)).get()
        let bought = try #require(await kit.observer.transaction([.purchased]))
        let second = RecordingObserver()
        queue.add(observer: second)
        #expect(await second.transaction([.purchased])?.id == bought.id)
      }
    }

    @Test("What isn't finished survives the process, and comes again until it is")
    func restart() async throws {
      try await Kit.run(initializes: false) { kit, Onside in
        var configuration = kit.configuration
        configuration.stateFolder = kit.service.folder + "/state"
        Onside.initialize(configuration: configuration)
        let finished = try await kit.service.count("PaymentsService/FinishTransaction")
        let queue = Onside.defaultPaymentQueue()
        queue.add(observer: kit.observer)
        try await Onside.buy(try await coins(kit, Onside), token: "order-1").get()
        let bought = try #require(await kit.observer.transaction([.purchased]))
        queue.remove(observer: kit.observer)
        await Onside.shutDown()
        Onside.initialize(configuration: configuration)
        let next = RecordingObserver()
        queue.add(observer: next)
        let again = try #require(await next.transaction([.purchased]))
        #expect(again.isSame(as: bought))
        #expect(again.payment.appAccountToken == "order-1")
        #expect(try await kit.service.matched(finished) == 0, "nothing is finished but by the app")
        queue.finishTransaction(again)
        #expect(await next.removed().map(\.id) == [bought.id])
        // Finishing it twice does nothing.
        queue.finishTransaction(again)
        #expect(queue.transactions.isEmpty)
      }
    }

    @Test("A restore ends, also with nothing to restore")
    func restore() async throws {
      try await Kit.run { kit, Onside in
        _ = try await coins(kit, Onside)
        let queue = Onside.defaultPaymentQueue()
        queue.add(observer: kit.observer)
        try await queue.restoreCompletedTransactions()
        await kit.observer.wait { events in
          events.contains { if case .restored = $0 { true } else { false } }
        }
        #expect(queue.transactions.isEmpty)
      }
    }

    @Test("A product that the app has kept as JSON is looked up again, and bought at its price")
    func kept() async throws {
      try await Kit.run { kit, Onside in
        let product = try await coins(kit, Onside)
        let data = try JSONEncoder().encode(product)
        var kept = try JSONDecoder().decode(OnsideProduct.self, from: data)
        #expect(kept == product && kept.hashValue == product.hashValue)
        kept.price.value = 0.01
        Onside.defaultPaymentQueue().add(observer: kit.observer)
        try await Onside.buy(kept).get()
        let bought = try #require(await kit.observer.transaction([.purchased, .failed]))
        #expect(bought.transactionState == .purchased)
        #expect(bought.payment.product.price.value == 4.99)
      }
    }

    @Test("What the completion has no case for is a failed transaction")
    func failed() async throws {
      try await Kit.run { kit, Onside in
        var product = try await coins(kit, Onside)
        product.productIdentifier = "nothing"
        let queue = Onside.defaultPaymentQueue()
        queue.add(observer: kit.observer)
        try await Onside.buy(product).get()
        let failed = try #require(await kit.observer.transaction([.failed]))
        #expect(failed.error == .presentationFailed)
        #expect(failed.failureDescription?.contains("nothing") == true)
        queue.finishTransaction(failed)
        #expect(await kit.observer.removed().map(\.id) == [failed.id])
        #expect(queue.transactions.isEmpty)
      }
    }

    @Test("Without delegates: login, products, purchase and updates with asynchronous functions")
    func modern() async throws {
      try await Kit.run { kit, Onside in
        let updates = Onside.transactionUpdates
        kit.external.currentUserID = "user-1"
        Onside.externalLoginDelegate = kit.external
        try await Onside.logIn()
        let response = try await Onside.products(for: ["coins", "coins"])
        let payment = OnsidePayment(product: try #require(response.products.first))
        try await Onside.defaultPaymentQueue().add(payment)
        for await transaction in updates where transaction.transactionState != .purchasing {
          #expect(transaction.transactionState == .purchased)
          Onside.defaultPaymentQueue().finishTransaction(transaction)
          break
        }
        #expect(Onside.defaultPaymentQueue().transactions.isEmpty)
        #expect(try await Onside.attributionMetadata().refererUrl == nil)
        try Onside.trackEvent("level_up", parameters: ["level": 3, "names": ["a", "b"]])
        #expect(throws: OnsideEventError.self) { try Onside.trackEvent("onside_x") }
      }
    }

    @Test("Before initialize() nothing traps, and everything fails")
    func uninitialized() async throws {
      try await Kit.run(initializes: false) { kit, Onside in
        #expect(await Onside.requestLogin().isDiscarded)
        #expect(Onside.defaultPaymentQueue().storefront == nil)
        guard case .failure(.connectionError) = await Onside.load(["coins"]) else {
          Issue.record("something is sold")
          return
        }
        // An observer that is added too early hears of what happens later.
        Onside.defaultPaymentQueue().add(observer: kit.observer)
        Onside.initialize(configuration: kit.configuration)
        try await Onside.buy(try await coins(kit, Onside)).get()
        #expect(await kit.observer.transaction([.purchased]) != nil)
      }
    }
  }
}
