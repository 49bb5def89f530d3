import OnsideDomain
import OnsideStore
import Testing

@Suite("Transactions, in each store")
struct TransactionTests {
  private let profile = ProfileID(high: 3, low: 3)
  private let app = "com.example.shop"

  /// Makes `count` paid transactions, two in each millisecond, and finishes those in `finished`.
  private func fill(
    _ store: any Store, count: Int, finished: Set<Int>
  ) async throws -> [TransactionRecord] {
    var made: [TransactionRecord] = []
    for number in 0..<count {
      let intent = try Fixtures.intent("key-\(number)", profile: profile, at: Int64(number / 2))
      let begun = try await Fixtures.begun(intent, in: store)
      _ = try await store.recordOutcome(
        .paid, of: begun.id, profileID: profile, at: Fixtures.time(1_000))
      if finished.contains(number) {
        _ = try await store.finishTransaction(
          begun.id, profileID: profile, appID: app, at: Fixtures.time(2_000))
      }
      let found = try await store.findTransaction(begun.id, profileID: profile, appID: app)
      made.append(try #require(found))
    }
    return made
  }

  private func expected(_ all: [TransactionRecord]) -> [TransactionID] {
    let byAge = all.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    let unfinished = byAge.filter { !$0.lifecycle.isFinished }
    return (unfinished + byAge.filter(\.lifecycle.isFinished).reversed()).map(\.id)
  }

  private func list(
    _ store: any Store, limit: Int, unfinishedOnly: Bool = false
  ) async throws -> [TransactionID] {
    var found: [TransactionID] = []
    var cursor: TransactionCursor?
    repeat {
      let query = TransactionQuery(
        profileID: profile, appID: app, limit: limit, after: cursor,
        unfinishedOnly: unfinishedOnly)
      let page = try await store.listTransactions(query)
      #expect(page.transactions.count <= limit)
      #expect(!page.transactions.isEmpty || cursor == nil, "an empty page was announced")
      found += page.transactions.map(\.id)
      // Through the text, as a client sends it.
      cursor = try page.next.map { next in
        try #require(TransactionCursor(text: next.text(for: query), for: query))
      }
    } while cursor != nil
    return found
  }

  @Test(
    "The unfinished come first, oldest first; then the finished, newest first",
    arguments: StoreKind.allCases, [1, 2, 3, 7, 20, 500])
  func lists(kind: StoreKind, limit: Int) async throws {
    try await kind.withStore { store in
      #expect(try await list(store, limit: limit).isEmpty)
      let all = try await fill(store, count: 11, finished: [0, 1, 4, 5, 6, 10])
      #expect(try await list(store, limit: limit) == expected(all))
      let unfinished = all.filter { !$0.lifecycle.isFinished }
      #expect(
        try await list(store, limit: limit, unfinishedOnly: true) == expected(unfinished))
    }
  }

  @Test("Nobody sees another's transactions", arguments: StoreKind.allCases)
  func separatesUsers(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let mine = try await fill(store, count: 1, finished: [])[0]
      let stranger = ProfileID.random()
      for (user, app) in [(stranger, app), (profile, "other")] {
        let page = try await store.listTransactions(
          TransactionQuery(profileID: user, appID: app, limit: 10))
        #expect(page.transactions.isEmpty && page.next == nil)
        #expect(try await store.findTransaction(mine.id, profileID: user, appID: app) == nil)
        let finished = try await store.finishTransaction(
          mine.id, profileID: user, appID: app, at: Fixtures.start)
        #expect(finished == .notFound)
      }
    }
  }

  @Test("What is finished between two pages is not lost", arguments: StoreKind.allCases)
  func pagesWhileFinishing(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let all = try await fill(store, count: 6, finished: [])
      var query = TransactionQuery(profileID: profile, appID: app, limit: 2)
      var page = try await store.listTransactions(query)
      var seen = page.transactions.map(\.id)
      while let next = page.next {
        // The oldest unfinished and the newest are delivered meanwhile.
        for done in [seen.last, all.last?.id].compactMap(\.self) {
          _ = try await store.finishTransaction(
            done, profileID: profile, appID: app, at: Fixtures.time(3_000))
        }
        query = TransactionQuery(profileID: profile, appID: app, limit: 2, after: next)
        page = try await store.listTransactions(query)
        seen += page.transactions.map(\.id)
      }
      #expect(Set(seen) == Set(all.map(\.id)))
    }
  }

  @Test("Only a final state is finished; again is the same", arguments: StoreKind.allCases)
  func finishes(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let begun = try await Fixtures.begun(try Fixtures.intent(profile: profile), in: store)
      func finish(at time: Int64) async throws -> FinishResult {
        try await store.finishTransaction(
          begun.id, profileID: profile, appID: app, at: Fixtures.time(time))
      }
      #expect(try await finish(at: 1) == .notFinal(begun))
      _ = try await store.recordOutcome(
        .needsApproval, of: begun.id, profileID: profile, at: Fixtures.time(2))
      guard case .notFinal(let deferred) = try await finish(at: 3) else {
        Issue.record("finished a deferred purchase")
        return
      }
      #expect(deferred.lifecycle.state == .deferred)
      _ = try await store.recordOutcome(
        .paid, of: begun.id, profileID: profile, at: Fixtures.time(4))
      guard case .finished(let first) = try await finish(at: 5) else {
        Issue.record("not finished")
        return
      }
      #expect(first.lifecycle.isFinished && first.updatedAt == Fixtures.time(5))
      #expect(try await finish(at: 6) == .finished(first))
    }
  }

  @Test(
    "A limit is taken as 1 to 500", arguments: [(-1, 1), (0, 1), (1, 1), (500, 500), (501, 500)])
  func boundsLimit(given: Int, taken: Int) {
    #expect(TransactionQuery(profileID: profile, appID: app, limit: given).limit == taken)
  }
}
