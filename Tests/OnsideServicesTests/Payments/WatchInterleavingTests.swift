import TestSupport
import OnsideDomain
import OnsideProto
import OnsideServices
import OnsideStore
import RPC
import Synchronization
import Testing

/// A user with several devices that buy, retry, finish and watch, while somebody approves, all at
/// once and in a random order.
@Suite("Watching, in random interleavings", .timeLimit(.minutes(2)))
struct WatchInterleavingTests {
  /// What one change looks like to a watcher.
  private struct Seen: Hashable {
    let transactionID: String
    let state: TransactionState
    let finished: Bool
  }

  private struct World: Sendable {
    let fixture: MarketplaceFixture
    let processor: SandboxProcessor
    let session: CallOptions
    let seed: UInt64

    /// Buys with one of a few keys, so that others' retries meet it.
    func buy(_ random: inout SeededGenerator) async {
      let number = Int.random(in: 0..<24, using: &random)
      let tokens = [
        "sandbox-paid", "sandbox-declined", "sandbox-needs-approval", "sandbox-unavailable-once",
        "sandbox-reply-lost", "sandbox-cancelled",
      ]
      // A lost answer and a processor that is down are what retries are for.
      _ = try? await fixture.payments.createPurchase(
        PurchaseFixture.request(key: "key-\(number)", token: tokens[number % tokens.count]),
        options: session)
    }

    /// Approves or declines one of the purchases that wait.
    func decide(_ random: inout SeededGenerator) async throws {
      let waiting = try await fixture.store.deferredPurchases()
      guard let one = waiting.randomElement(using: &random) else { return }
      _ = try await fixture.store.recordOutcome(
        Bool.random(using: &random) ? .paid : .failed(.declined), of: one.id,
        profileID: one.profileID, at: fixture.clock.now)
    }

    func finish(_ random: inout SeededGenerator) async throws {
      let open = try await fixture.payments.listTransactions(
        ListTransactionsRequest(unfinishedOnly: true), options: session
      ).transactions
      guard let one = open.randomElement(using: &random) else { return }
      // Only a final state can be finished: the others are refused.
      _ = try? await fixture.payments.finishTransaction(
        FinishTransactionRequest(transactionID: one.transactionID), options: session)
    }

    /// Watches until `isDone` says that nothing more comes, losing its connection now and then: the
    /// last answer is taken, or lost with it.
    func watch(
      seed: UInt64, cursor: String, until isDone: @Sendable (String) -> Bool
    ) async throws -> [Seen] {
      var random = SeededGenerator(seed: seed)
      var cursor = cursor
      var seen: [Seen] = []
      while !isDone(cursor) {
        var left = Int.random(in: 1...12, using: &random)
        let stream = fixture.payments.watchTransactions(
          WatchTransactionsRequest(cursor: cursor), options: session)
        for try await answer in stream {
          guard case .transaction(let transaction) = answer.event else { continue }
          left -= 1
          if left == 0, Bool.random(using: &random) { break }
          cursor = answer.cursor
          seen.append(
            Seen(
              transactionID: transaction.transactionID, state: transaction.state,
              finished: transaction.finished))
          if left == 0 || isDone(cursor) { break }
        }
      }
      return seen
    }

    /// What has happened, by the store.
    func events() async throws -> (seen: [Seen], cursor: String) {
      let id = try await fixture.profileID(of: session)
      var seen: [Seen] = []
      var position: Int64 = 0
      var hasMore = true
      while hasMore {
        let reading = try await fixture.store.profileEvents(of: id, after: position)
        guard case .page(let page) = reading else { throw TestFailure("events were lost") }
        for case .transaction(let transaction) in page.events.map(\.change) {
          seen.append(
            Seen(
              transactionID: transaction.id.description,
              state: TransactionState(rawValue: Int32(transaction.lifecycle.state.rawValue)),
              finished: transaction.lifecycle.isFinished))
        }
        (position, hasMore) = (page.position, page.hasMore)
      }
      let cursor = EventCursor(position: position).text(for: id, appID: TestCatalogue.shop)
      return (seen, cursor)
    }

    /// Makes the last change. Where it will be is told before, so that no watcher goes on waiting.
    func close(_ tell: (String) -> Void) async throws -> [Seen] {
      let id = try await fixture.profileID(of: session)
      let count = try await events().seen.count
      tell(EventCursor(position: Int64(count) + 2).text(for: id, appID: TestCatalogue.shop))
      _ = try await fixture.payments.createPurchase(
        PurchaseFixture.request(key: "last"), options: session)
      return try await events().seen
    }

    /// One device: a number of random steps.
    func live(seed: UInt64) async throws {
      var random = SeededGenerator(seed: seed)
      for _ in 0..<40 {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: try await decide(&random)
        case 1, 2: try await finish(&random)
        default: await buy(&random)
        }
      }
    }
  }

  @Test(
    "Each watcher sees every change exactly once, in order, through lost connections",
    arguments: [false, true], (1...4).map { UInt64($0) &* 0x9e37_79b9 })
  func watchers(onDisk: Bool, seed: UInt64) async throws {
    let folder = try TemporaryFolder()
    let store: any Store =
      onDisk ? try SQLiteStore(path: "\(folder.path)/store.sqlite") : MemoryStore()
    let processor = SandboxProcessor()
    let fixture = try await MarketplaceFixture(store: store) { $0.processor = processor }
    let session = try await fixture.session()
    let world = World(fixture: fixture, processor: processor, session: session, seed: seed)
    let start = try await world.events().cursor
    let marker = Marker()
    let watching = (0..<2).map { number in
      Task {
        try await world.watch(seed: seed &+ UInt64(number), cursor: start) { marker.isLast($0) }
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for lane in 10..<14 { group.addTask { try await world.live(seed: seed &+ UInt64(lane)) } }
      try await group.waitForAll()
    }
    // One more change, by which watchers that wait learn where the end is.
    let events = try await world.close { marker.set($0) }
    for task in watching {
      #expect(try await task.value == events, "seed \(seed)")
    }
    try await check(world, events)
    await store.close()
    print("watchers: seed \(seed), \(events.count) changes")
  }

  /// Where a watcher may stop.
  private final class Marker: Sendable {
    private let last = Mutex<String?>(nil)

    func isLast(_ cursor: String) -> Bool { last.withLock { $0 == cursor } }
    func set(_ cursor: String) { last.withLock { $0 = cursor } }
  }

  /// P1, as far as the server goes: charges are distinct keys, and each purchase ends as it was
  /// told.
  private func check(_ world: World, _ events: [Seen]) async throws {
    var last: [String: Seen] = [:]
    for event in events {
      if let earlier = last[event.transactionID] {
        #expect(earlier != event, "seed \(world.seed): a change was told twice")
      } else {
        #expect(event.state == .purchasing, "seed \(world.seed)")
      }
      last[event.transactionID] = event
    }
    let all = try await world.fixture.payments.listTransactions(
      ListTransactionsRequest(pageSize: 500), options: world.session
    ).transactions
    #expect(Set(last.keys) == Set(all.map(\.transactionID)))
    for transaction in all {
      let told = last[transaction.transactionID]
      #expect(told?.state == transaction.state && told?.finished == transaction.finished)
    }
    let wereDeferred = Set(events.filter { $0.state == .deferred }.map(\.transactionID))
    let charged = all.filter {
      $0.state == .purchased && !wereDeferred.contains($0.transactionID)
    }
    let open = all.filter { $0.state == .purchasing }.count
    let charges = world.processor.counters.charges
    #expect((charged.count...charged.count + open).contains(charges), "seed \(world.seed)")
  }
}
