import TestSupport
import OnsideDomain
import OnsideStore
import Synchronization
import Testing

/// Shops that buy, retry, lose answers, deliver and finish in a random order, several at once.
@Suite("Random interleavings, in each store")
struct InterleavingTests {
  /// A payment processor: charges each idempotency key once, whatever it is asked.
  private final class Processor: Sendable {
    private let outcomes = Mutex<[String: PaymentOutcome]>([:])
    private let firstCharges = Mutex(0)

    func charge(_ intent: PurchaseIntent, seed: UInt64) -> PaymentOutcome {
      let key = "\(intent.profileID) \(intent.idempotencyKey)"
      return outcomes.withLock { outcomes in
        if let known = outcomes[key] { return known }
        var random = SeededGenerator(seed: seed)
        let outcome: PaymentOutcome =
          switch Int.random(in: 0..<4, using: &random) {
          case 0: .failed(.declined)
          case 1: .needsApproval
          default: .paid
          }
        outcomes[key] = outcome
        firstCharges.withLock { $0 += 1 }
        return outcome
      }
    }

    var charges: Int { firstCharges.withLock { $0 } }
  }

  private struct World {
    let store: any Store
    let processor: Processor
    let seed: UInt64
    let users = (1...3).map { ProfileID(high: 7, low: $0) }
    let app = "com.example.shop"

    /// One client's step: buys with one of its keys, and may stop at any point, as if the client or
    /// the server had died there. A later step with the same key goes on.
    func buy(user: ProfileID, number: Int, random: inout SeededGenerator) async throws {
      // A fresh transaction identifier each time, as each attempt of a server makes one.
      let intent = try Fixtures.intent(
        "key-\(number)", profile: user, product: "product-\(number % 3)",
        fingerprint: [UInt8(number)], at: Int64(number))
      guard Int.random(in: 0..<10, using: &random) > 0 else { return }
      let begun: TransactionRecord
      switch try await store.beginPurchase(intent) {
      case .new(let transaction), .inProgress(let transaction): begun = transaction
      case .existing: return
      case .conflict, .alreadyOwned:
        Issue.record("seed \(seed): another purchase with key \(number)")
        return
      }
      guard Int.random(in: 0..<3, using: &random) > 0 else { return }
      let outcome = processor.charge(intent, seed: random.next())
      guard Int.random(in: 0..<3, using: &random) > 0 else { return }
      let recorded = try await store.recordOutcome(
        outcome, of: begun.id, profileID: user, at: Fixtures.time(100))
      if case .refused = recorded { Issue.record("seed \(seed): contradicting outcomes") }
      if recorded == .notFound { Issue.record("seed \(seed): a purchase was lost") }
    }

    /// Finishes one of the user's transactions, or tries another's.
    func finish(user: ProfileID, random: inout SeededGenerator) async throws {
      let owner = users.randomElement(using: &random) ?? user
      let page = try await store.listTransactions(
        TransactionQuery(profileID: owner, appID: app, limit: 500, unfinishedOnly: true))
      guard let one = page.transactions.randomElement(using: &random) else { return }
      let result = try await store.finishTransaction(
        one.id, profileID: user, appID: app, at: Fixtures.time(200))
      if owner != user, result != .notFound {
        Issue.record("seed \(seed): finished another user's transaction")
      }
    }

    /// What a starting server does about intents without an outcome.
    func resolve(random: inout SeededGenerator) async throws {
      for intent in try await store.unresolvedPurchases() {
        let outcome = processor.charge(intent, seed: random.next())
        _ = try await store.recordOutcome(
          outcome, of: intent.transactionID, profileID: intent.profileID, at: Fixtures.time(300))
      }
    }
  }

  @Test(
    "Charges are distinct keys; each purchase exists once and is its user's",
    arguments: StoreKind.allCases, (1...6).map { UInt64($0) &* 0x9e37_79b9 })
  func keepsBooks(kind: StoreKind, seed: UInt64) async throws {
    try await kind.withStore { store in
      let world = World(store: store, processor: Processor(), seed: seed)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for lane in 0..<6 {
          group.addTask {
            var random = SeededGenerator(seed: seed &+ UInt64(lane))
            for _ in 0..<60 {
              guard let user = world.users.randomElement(using: &random) else { return }
              let number = Int.random(in: 0..<20, using: &random)
              if Int.random(in: 0..<4, using: &random) == 0 {
                try await world.finish(user: user, random: &random)
              } else {
                try await world.buy(user: user, number: number, random: &random)
              }
            }
          }
        }
        try await group.waitForAll()
      }
      var random = SeededGenerator(seed: seed)
      try await world.resolve(random: &random)
      try await check(world)
    }
  }

  private func check(_ world: World) async throws {
    #expect(try await world.store.unresolvedPurchases().isEmpty, "seed \(world.seed)")
    var keys = 0
    for user in world.users {
      let page = try await world.store.listTransactions(
        TransactionQuery(profileID: user, appID: world.app, limit: 500))
      #expect(page.transactions.allSatisfy { $0.profileID == user }, "seed \(world.seed)")
      #expect(Set(page.transactions.map(\.id)).count == page.transactions.count)
      // The number of a purchase is its time: one transaction for each key.
      #expect(Set(page.transactions.map(\.createdAt)).count == page.transactions.count)
      for transaction in page.transactions where transaction.lifecycle.isFinished {
        #expect(transaction.lifecycle.state.isFinal, "seed \(world.seed)")
      }
      keys += page.transactions.count
    }
    #expect(world.processor.charges == keys, "seed \(world.seed)")
  }
}
