import OnsideDomain
import OnsideStore
import Synchronization
import Testing

@Suite("Events of profiles, in each store")
struct ProfileEventTests {
  private let profile = ProfileID(high: 3, low: 3)
  private let app = "com.example.shop"

  private func page(
    _ store: any Store, after position: Int64?, of profile: ProfileID? = nil, limit: Int = 100
  ) async throws -> ProfileEventPage {
    let reading = try await store.profileEvents(
      of: profile ?? self.profile, after: position, limit: limit)
    guard case .page(let page) = reading else { throw StoreError(.requestFailed, "lost") }
    return page
  }

  private func isLost(_ store: any Store, after position: Int64) async throws -> Bool {
    try await store.profileEvents(of: profile, after: position) == .lost
  }

  @Test("Each change of a transaction is one event, as it was left", arguments: StoreKind.allCases)
  func changes(kind: StoreKind) async throws {
    try await kind.withStore { store in
      #expect(try await page(store, after: nil).position == 0)
      #expect(try await page(store, after: 0).events == [])
      let intent = try Fixtures.intent(profile: profile, token: "account", at: 1)
      var expected = [try await Fixtures.begun(intent, in: store)]
      // What changes nothing is no event.
      _ = try await store.beginPurchase(intent)
      for (outcome, time) in [
        (PaymentOutcome.needsApproval, 2), (.needsApproval, 3), (.paid, 4), (.paid, 5),
        (.failed(.declined), 6),
      ] as [(PaymentOutcome, Int64)] {
        let recording = try await store.recordOutcome(
          outcome, of: intent.transactionID, profileID: profile, at: Fixtures.time(time))
        if case .recorded(let transaction) = recording { expected.append(transaction) }
      }
      for time: Int64 in [7, 8] {
        let result = try await store.finishTransaction(
          intent.transactionID, profileID: profile, appID: app, at: Fixtures.time(time))
        guard case .finished(let transaction) = result else { continue }
        if time == 7 { expected.append(transaction) }
      }
      #expect(expected.count == 4)
      let found = try await page(store, after: 0)
      #expect(found.events.map(\.change) == expected.map { .transaction($0) })
      #expect(found.events.map(\.sequence) == [1, 2, 3, 4])
      #expect(found.position == 4 && !found.hasMore)
      #expect(try await page(store, after: nil).position == 4)
    }
  }

  @Test("Pages follow each other without a gap", arguments: StoreKind.allCases)
  func pages(kind: StoreKind) async throws {
    try await kind.withStore { store in
      for number in 0..<7 {
        _ = try await Fixtures.begun(
          try Fixtures.intent("key-\(number)", profile: profile), in: store)
      }
      for limit in [1, 2, 3, 6, 7, 8] {
        var position: Int64 = 0
        var sequences: [Int64] = []
        var hasMore = true
        while hasMore {
          let page = try await page(store, after: position, limit: limit)
          #expect(page.events.count <= limit)
          sequences += page.events.map(\.sequence)
          (position, hasMore) = (page.position, page.hasMore)
        }
        #expect(sequences == Array(1...7), "limit \(limit)")
      }
      #expect(try await page(store, after: 6, limit: 0).events.map(\.sequence) == [7])
    }
  }

  @Test("Each profile has its own sequence, over all of its apps", arguments: StoreKind.allCases)
  func scopes(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let other = ProfileID(high: 3, low: 4)
      _ = try await Fixtures.begun(try Fixtures.intent(profile: profile), in: store)
      _ = try await Fixtures.begun(try Fixtures.intent(profile: other), in: store)
      _ = try await Fixtures.begun(
        try Fixtures.intent(profile: profile, app: "other"), in: store)
      #expect(try await page(store, after: 0).events.map(\.sequence) == [1, 2])
      #expect(try await page(store, after: 0, of: other).events.map(\.sequence) == [1])
    }
  }

  @Test("A storefront that is set is an event, once", arguments: StoreKind.allCases)
  func storefronts(kind: StoreKind) async throws {
    try await kind.withStore { store in
      _ = try await store.findOrCreateProfile(try Fixtures.profile("user", id: profile))
      let (changes, change) = AsyncStream<Void>.makeStream()
      let subscription = store.eventHub.subscribe(to: profile) { change.yield() }
      let japan = try Fixtures.storefront("JP")
      for time: Int64 in [5, 6] {
        let moved = try await store.setStorefront(japan, of: profile, at: Fixtures.time(time))
        #expect(moved?.storefront == japan)
      }
      var told = changes.makeAsyncIterator()
      await told.next()
      let events = try await page(store, after: 0).events
      #expect(events == [ProfileEvent(sequence: 1, change: .storefront(japan))])
      store.eventHub.cancel(subscription)
    }
  }

  @Test(
    "Forgotten events are missed by whoever stood before them, and by nobody else",
    arguments: StoreKind.allCases)
  func purges(kind: StoreKind) async throws {
    try await kind.withStore { store in
      for number in 0..<5 {
        _ = try await Fixtures.begun(
          try Fixtures.intent("key-\(number)", profile: profile, at: Int64(number)), in: store)
      }
      #expect(try await store.purgeProfileEvents(before: Fixtures.time(3), limit: 2) == 2)
      #expect(try await store.purgeProfileEvents(before: Fixtures.time(3)) == 1)
      #expect(try await store.purgeProfileEvents(before: Fixtures.time(3)) == 0)
      for position: Int64 in [0, 1, 2, 6, .max, -1] {
        #expect(try await isLost(store, after: position), "\(position)")
      }
      #expect(try await page(store, after: 3).events.map(\.sequence) == [4, 5])
      // Whoever has seen all goes on, also when nothing is left.
      #expect(try await store.purgeProfileEvents(before: Fixtures.time(100)) == 2)
      #expect(try await page(store, after: 5).events == [])
      #expect(try await isLost(store, after: 4))
      _ = try await Fixtures.begun(try Fixtures.intent("new", profile: profile), in: store)
      #expect(try await page(store, after: 5).events.map(\.sequence) == [6])
    }
  }

  @Test("An event costs no commit of its own", arguments: [StoreKind.sqlite])
  func commits(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let before = store.counters.commits
      let begun = try await Fixtures.begun(try Fixtures.intent(profile: profile), in: store)
      #expect(store.counters.commits == before + 1)
      _ = try await store.recordOutcome(
        .paid, of: begun.id, profileID: profile, at: Fixtures.time(1))
      #expect(store.counters.commits == before + 2)
      // What changed nothing wrote no event either.
      _ = try await store.recordOutcome(
        .paid, of: begun.id, profileID: profile, at: Fixtures.time(2))
      #expect(store.counters.commits == before + 2)
    }
  }

  @Test(
    "The hub tells a profile's watchers after the event can be read", arguments: StoreKind.allCases)
  func tells(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let (changes, change) = AsyncStream<Void>.makeStream()
      let others = Mutex(0)
      let own = store.eventHub.subscribe(to: profile) { change.yield() }
      let other = store.eventHub.subscribe(to: ProfileID(high: 9, low: 9)) {
        others.withLock { $0 += 1 }
      }
      #expect(store.eventHub.count == 2)
      var told = changes.makeAsyncIterator()
      let begun = try await Fixtures.begun(try Fixtures.intent(profile: profile), in: store)
      await told.next()
      #expect(try await page(store, after: 0).events.count == 1)
      _ = try await store.recordOutcome(
        .paid, of: begun.id, profileID: profile, at: Fixtures.time(1))
      await told.next()
      #expect(try await page(store, after: 0).events.count == 2)
      _ = try await store.finishTransaction(
        begun.id, profileID: profile, appID: app, at: Fixtures.time(2))
      await told.next()
      #expect(try await page(store, after: 0).events.count == 3)
      for subscription in [own, own, other] { store.eventHub.cancel(subscription) }
      #expect(store.eventHub.count == 0)
      #expect(others.withLock { $0 } == 0)
    }
  }

  @Test("A cursor's text is good for its profile and app only")
  func cursors() {
    let stranger = ProfileID(high: 3, low: 4)
    for position: Int64 in [0, 1, 255, .max] {
      let text = EventCursor(position: position).text(for: profile, appID: app)
      #expect(text.utf8.count <= 64 && text.utf8.allSatisfy { $0 < 0x80 })
      #expect(EventCursor(text: text, for: profile, appID: app)?.position == position)
      #expect(EventCursor(text: text, for: stranger, appID: app) == nil)
      #expect(EventCursor(text: text, for: profile, appID: "other") == nil)
      for bad in [
        "", String(text.dropLast()), text + "0", String(text.reversed()), text.uppercased() + " ",
        "02" + text.dropFirst(2), String(repeating: "g", count: 34),
        "01ffffffffffffffff" + text.suffix(16),
      ] {
        #expect(EventCursor(text: bad, for: profile, appID: app) == nil, "\(bad)")
      }
    }
  }
}
