import OnsideCatalogue
import OnsideDomain
import OnsideProto
import OnsideStore
import RPC
import Testing

@testable import OnsideServices

@Suite("Buying")
struct PurchaseFlowTests {
  @Test("A paid purchase is a purchased transaction with all that was asked for")
  func paid() async throws {
    let fixture = try PurchaseFixture()
    let buyer = try fixture.buyer()
    var request = PurchaseFixture.request()
    request.appAccountToken = "not a UUID \u{7} ✓"
    let purchase = try await fixture.buy(request, buyer)
    let transaction = purchase.transaction
    #expect(!purchase.replayed)
    #expect(transaction.lifecycle.state == .purchased)
    #expect(transaction.price.description == "4.99 EUR")
    #expect(transaction.appAccountToken == "not a UUID \u{7} ✓")
    #expect(transaction.storefront.id == "DE-1")
    #expect(try await fixture.transactions(of: buyer) == [transaction])
  }

  @Test(
    "Declined, cancelled and deferred payments are transactions, not errors",
    arguments: [
      ("sandbox-declined", PurchaseState.failed, OnsideDomain.FailureReason?.some(.declined)),
      ("sandbox-cancelled", .failed, .cancelled), ("sandbox-needs-approval", .deferred, nil),
    ])
  func otherOutcomes(
    _ token: String, _ state: PurchaseState, _ reason: OnsideDomain.FailureReason?
  ) async throws {
    let fixture = try PurchaseFixture()
    let buyer = try fixture.buyer()
    let purchase = try await fixture.buy(PurchaseFixture.request(token: token), buyer)
    #expect(purchase.transaction.lifecycle.state == state)
    #expect(purchase.transaction.lifecycle.failureReason == reason)
  }

  @Test("B31: the same key and fields give the first result again and charge once")
  func replays() async throws {
    let processor = SandboxProcessor()
    let fixture = try PurchaseFixture(processor: processor)
    let buyer = try fixture.buyer()
    let first = try await fixture.buy(PurchaseFixture.request(), buyer)
    for _ in 0..<5 {
      let again = try await fixture.buy(PurchaseFixture.request(), buyer)
      #expect(again.replayed)
      #expect(again.transaction == first.transaction)
    }
    #expect(processor.counters == .init(requests: 1, charges: 1, unavailable: 0))
  }

  @Test("The same key with any other field is refused, and nothing is written or charged")
  func keyReused() async throws {
    let processor = SandboxProcessor()
    let fixture = try PurchaseFixture(processor: processor)
    let buyer = try fixture.buyer()
    _ = try await fixture.buy(PurchaseFixture.request(), buyer)
    var others = [PurchaseFixture.request(token: "sandbox-paid:2")]
    others.append(PurchaseFixture.request("gems", cents: 999))
    others.append(PurchaseFixture.request())
    others[2].appAccountToken = ""
    for other in others {
      #expect(await fixture.refusal(other, buyer) == .idempotencyKeyReused)
    }
    #expect(processor.counters.requests == 1)
    #expect(try await fixture.transactions(of: buyer).count == 1)
  }

  @Test("Another profile may use the same key")
  func keyScope() async throws {
    let fixture = try PurchaseFixture()
    let (one, two) = (try fixture.buyer(), try fixture.buyer())
    let first = try await fixture.buy(PurchaseFixture.request(), one)
    let second = try await fixture.buy(PurchaseFixture.request(), two)
    #expect(!second.replayed)
    #expect(first.transaction.id != second.transaction.id)
  }

  @Test(
    "B26: concurrent duplicates wait for the first and get its result; the processor is asked once")
  func concurrentDuplicates() async throws {
    let processor = TestProcessor()
    let fixture = try PurchaseFixture(processor: processor)
    let buyer = try fixture.buyer()
    let results = try await withThrowingTaskGroup(of: PurchaseFlow.Purchase.self) { group in
      for _ in 0..<20 {
        group.addTask { try await fixture.buy(PurchaseFixture.request(), buyer) }
      }
      await processor.waitForRequests(1)
      processor.answer(.success(.paid))
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(results.map(\.transaction.id)).count == 1)
    #expect(results.allSatisfy { $0.transaction.lifecycle.state == .purchased })
    #expect(results.filter { !$0.replayed }.count == 1)
    #expect(processor.requests.count == 1)
    #expect(try await fixture.transactions(of: buyer).count == 1)
  }

  @Test(
    "B26: who comes when the outcome has just been found out gets it; the processor isn't asked",
    .timeLimit(.minutes(1)))
  func latecomer() async throws {
    let processor = TestProcessor()
    let fixture = try PurchaseFixture(processor: processor)
    let buyer = try fixture.buyer()
    async let purchase = fixture.buy(PurchaseFixture.request(), buyer)
    await processor.waitForRequests(1)
    let seen = try #require(try await fixture.transactions(of: buyer).first)
    #expect(seen.lifecycle.state == .purchasing)
    let request = try #require(processor.requests.first)
    processor.answer(.success(.paid))
    let bought = try await purchase.transaction
    let again = try await fixture.flow.resolve(seen, request).get()
    #expect(again.id == bought.id)
    #expect(again.lifecycle.state == .purchased)
    #expect(processor.requests.count == 1)
  }

  @Test("A processor that is down is no outcome: the purchase stays open, a retry resolves it")
  func processorDown() async throws {
    let processor = TestProcessor()
    let fixture = try PurchaseFixture(processor: processor)
    let buyer = try fixture.buyer()
    async let refusal = fixture.refusal(PurchaseFixture.request(), buyer)
    await processor.waitForRequests(1)
    processor.answer(.down)
    #expect(await refusal == .processorUnavailable)
    #expect(try await fixture.transactions(of: buyer).map(\.lifecycle.state) == [.purchasing])

    async let retry = fixture.buy(PurchaseFixture.request(), buyer)
    await processor.waitForRequests(2)
    processor.answer(.success(.paid))
    let purchase = try await retry
    #expect(purchase.replayed)
    #expect(purchase.transaction.lifecycle.state == .purchased)
    #expect(Set(processor.requests.map(\.key)) == [purchase.transaction.id.description])
    #expect(Set(processor.requests.map(\.amount.minorUnits)) == [499])
  }

  @Test("A caller that gives up doesn't stop the payment: the next one finds its result")
  func callerGivesUp() async throws {
    let processor = TestProcessor()
    let fixture = try PurchaseFixture(processor: processor)
    let buyer = try fixture.buyer()
    let call = Task { try await fixture.buy(PurchaseFixture.request(), buyer) }
    await processor.waitForRequests(1)
    call.cancel()
    processor.answer(.success(.paid))
    let purchase = try await call.value
    #expect(purchase.transaction.lifecycle.state == .purchased)
    #expect(try await fixture.buy(PurchaseFixture.request(), buyer).replayed)
    #expect(processor.requests.count == 1)
  }

  @Test("A retry gets the first result also when the purchase couldn't begin any more")
  func replaysAfterReload() async throws {
    let fixture = try PurchaseFixture()
    let buyer = try fixture.buyer()
    let first = try await fixture.buy(PurchaseFixture.request(), buyer)
    let dearer = TestCatalogue.text.replacing("4.99", with: "5.99")
    fixture.catalogue.replace(with: try TestCatalogue.snapshot(dearer, in: fixture.folder))
    let again = try await fixture.buy(PurchaseFixture.request(), buyer)
    #expect(again.replayed)
    #expect(again.transaction == first.transaction)
    #expect(
      await fixture.refusal(PurchaseFixture.request(key: "key-2"), buyer) == .priceChanged)
    fixture.catalogue.replace(with: .empty)
    #expect(
      try await fixture.buy(PurchaseFixture.request(), buyer).transaction.id == first.transaction.id
    )
  }

  @Test("B25: what a profile owns isn't sold to it again; the refusal names the transaction")
  func alreadyOwned() async throws {
    let fixture = try PurchaseFixture()
    let buyer = try fixture.buyer(.regular)
    let request = PurchaseFixture.request("no-ads", cents: 299)
    let owned = try await fixture.buy(request, buyer)
    let error = await #expect(throws: RPCError.self) {
      try await fixture.buy(PurchaseFixture.request("no-ads", key: "key-2", cents: 299), buyer)
    }
    #expect(error?.refusalReason == .alreadyOwned)
    #expect(error?.info?.values["transaction_id"] == owned.transaction.id.description)
    // The same key is a retry, not a second purchase.
    #expect(try await fixture.buy(request, buyer).replayed)
    // A declined purchase isn't owned.
    let other = try fixture.buyer(.regular)
    _ = try await fixture.buy(
      PurchaseFixture.request("no-ads", token: "sandbox-declined", cents: 299), other)
    let second = try await fixture.buy(
      PurchaseFixture.request("no-ads", key: "key-2", cents: 299), other)
    #expect(second.transaction.lifecycle.state == .purchased)
  }
}
