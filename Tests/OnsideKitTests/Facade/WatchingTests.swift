import OnsideClient
import OnsideKit
import OnsideProto
import Testing

extension LibraryTests {
  @Suite("What happens elsewhere") @MainActor struct Watching {
    /// Another device of the same user, signed in.
    private func other(_ kit: Kit, _ user: String) async throws -> OnsideClient {
      let client = kit.service.client()
      try await client.logIn(externalUserID: user)
      return client
    }

    private func buy(_ client: OnsideClient) async throws -> String {
      let product = try #require(try await client.products(["coins"]).products.first)
      let request = PurchaseRequest(product, paymentMethod: .applePay(token: "sandbox-paid"))
      return try await client.purchase(request).id
    }

    /// Every transaction that was told as purchased, in order.
    private func told(_ kit: Kit) -> [String?] {
      kit.observer.events.compactMap { event -> String?? in
        guard case .updated(let transaction) = event, transaction.transactionState == .purchased
        else { return nil }
        return .some(transaction.transactionIdentifier)
      }
    }

    @Test("Another device's purchase comes to the observer, and goes when it is finished there")
    func otherDevice() async throws {
      try await Kit.run { kit, Onside in
        Onside.defaultPaymentQueue().add(observer: kit.observer)
        try await kit.logIn("user-1", Onside)
        let other = try await other(kit, "user-1")
        let id = try await buy(other)
        let seen = try #require(await kit.observer.transaction([.purchased]))
        #expect(seen.transactionIdentifier == id)
        #expect(seen.payment.product.localizedTitle == "Coins")
        _ = try await other.finish(transactionID: id)
        #expect(await kit.observer.removed().map(\.id) == [seen.id])
      }
    }

    @Test("What happens while the connection is lost comes afterwards, once; nothing of strangers")
    func lostConnection() async throws {
      try await Kit.run { kit, Onside in
        let queue = Onside.defaultPaymentQueue()
        queue.add(observer: kit.observer)
        try await kit.logIn("user-1", Onside)
        let (other, stranger) = (try await other(kit, "user-1"), try await other(kit, "user-2"))
        let first = try await buy(other)
        await kit.observer.wait { _ in told(kit) == [first] }
        // The watch ends with the connection, and can't begin again for a while.
        let watches = FaultMatch(
          method: "PaymentsService/WatchTransactions", externalUserID: "user-1")
        let refusal = FaultRule(
          match: watches, count: 3, effect: .status(FaultStatus(code: 14, message: "", reason: "")))
        let refused = try await kit.service.sandbox.addFault(AddFaultRequest(rule: refusal)).rule
        let cut = FaultRule(
          match: FaultMatch(
            method: "PaymentsService/ListPurchases", externalUserID: "user-1"), count: 1,
          effect: .cutConnection(true))
        _ = try await kit.service.sandbox.addFault(AddFaultRequest(rule: cut))
        try await queue.restoreCompletedTransactions()
        while try await kit.service.matched(refused?.faultID ?? "") == 0 {}
        let second = try await buy(other)
        _ = try await buy(stranger)
        await kit.observer.wait { _ in told(kit).contains(second) }
        let third = try await buy(other)
        await kit.observer.wait { _ in told(kit).contains(third) }
        #expect(told(kit) == [first, second, third])
        #expect(queue.transactions.map(\.transactionIdentifier) == [first, second, third])
      }
    }
  }
}
