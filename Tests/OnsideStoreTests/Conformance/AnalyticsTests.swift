import OnsideDomain
import OnsideStore
import Testing

@Suite("Attributions and tracked events, in each store")
struct AnalyticsTests {
  private static let shop = "com.example.shop"

  private func event(
    _ number: Int, installation: String = "phone", app: String = shop, received: Int64 = 0
  ) -> TrackedEventRecord {
    TrackedEventRecord(
      appID: app, installationID: installation, eventID: "event-\(number)", name: "opened",
      parameters: #"{"number":\#(number)}"#, occurredAt: Fixtures.time(Int64(number)),
      receivedAt: Fixtures.time(received))
  }

  /// Adds events, of which so many have to be new.
  private func add(
    _ events: [TrackedEventRecord], to store: any Store, app: String = shop, limit: Int = 100,
    expecting count: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let added = try await store.addTrackedEvents(events, appID: app, limit: limit)
    #expect(added == count, sourceLocation: sourceLocation)
  }

  @Test(
    "An attribution is what was set last, for its installation alone", arguments: StoreKind.allCases
  )
  func attributions(kind: StoreKind) async throws {
    try await kind.withStore { store in
      func attribution(_ installation: String, _ url: String) -> AttributionRecord {
        AttributionRecord(appID: Self.shop, installationID: installation, referrerURL: url)
      }
      for url in ["https://example.com/a", "https://example.com/b"] {
        try await store.setAttribution(attribution("phone", url))
      }
      try await store.setAttribution(attribution("tablet", ""))
      let found = try await store.findAttribution(appID: Self.shop, installationID: "phone")
      #expect(found == attribution("phone", "https://example.com/b"))
      let tablet = try await store.findAttribution(appID: Self.shop, installationID: "tablet")
      #expect(tablet == attribution("tablet", ""))
      #expect(
        try await store.findAttribution(appID: "com.example.other", installationID: "phone") == nil)
    }
  }

  @Test("Events are listed the last taken first, of their app alone", arguments: StoreKind.allCases)
  func lists(kind: StoreKind) async throws {
    try await kind.withStore { store in
      #expect(try await store.trackedEvents(appID: Self.shop, limit: 10).isEmpty)
      let events = (0..<5).map { event($0) }
      try await add(Array(events[..<2]), to: store, expecting: 2)
      try await add(Array(events[2...]), to: store, expecting: 3)
      try await add(
        [event(9, app: "com.example.other")], to: store, app: "com.example.other", expecting: 1)
      let listed = try await store.trackedEvents(appID: Self.shop, limit: 10)
      #expect(listed == events.reversed())
      #expect(
        try await store.trackedEvents(appID: Self.shop, limit: 2)
          == Array(events.reversed()[..<2]))
    }
  }

  @Test("An event that was taken isn't taken again", arguments: StoreKind.allCases)
  func once(kind: StoreKind) async throws {
    try await kind.withStore { store in
      try await add([event(1), event(2), event(1)], to: store, expecting: 2)
      try await add([event(2), event(3)], to: store, expecting: 1)
      // The same identifier of another installation is another event.
      try await add([event(2, installation: "tablet")], to: store, expecting: 1)
      #expect(try await store.trackedEvents(appID: Self.shop, limit: 10).count == 4)
    }
  }

  @Test("At the limit the oldest of the app make room", arguments: StoreKind.allCases)
  func limit(kind: StoreKind) async throws {
    try await kind.withStore { store in
      try await add([event(1, app: "other")], to: store, app: "other", limit: 3, expecting: 1)
      for first in stride(from: 0, to: 10, by: 2) {
        try await add([event(first), event(first + 1)], to: store, limit: 3, expecting: 2)
      }
      let listed = try await store.trackedEvents(appID: Self.shop, limit: 10)
      #expect(listed.map(\.eventID) == ["event-9", "event-8", "event-7"])
      // What was forgotten is taken anew.
      try await add([event(0)], to: store, limit: 3, expecting: 1)
      #expect(try await store.trackedEvents(appID: "other", limit: 10).count == 1)
    }
  }

  @Test("Purging forgets what was taken before a time, in steps", arguments: StoreKind.allCases)
  func purges(kind: StoreKind) async throws {
    try await kind.withStore { store in
      for number in 0..<6 {
        try await add([event(number, received: Int64(number) * 100)], to: store, expecting: 1)
      }
      let time = Fixtures.time(400)
      #expect(try await store.purgeTrackedEvents(receivedBefore: time, limit: 3) == 3)
      #expect(try await store.purgeTrackedEvents(receivedBefore: time, limit: 3) == 1)
      #expect(try await store.purgeTrackedEvents(receivedBefore: time, limit: 3) == 0)
      let left = try await store.trackedEvents(appID: Self.shop, limit: 10)
      #expect(left.map(\.eventID) == ["event-5", "event-4"])
      try await add([event(5), event(6)], to: store, expecting: 1)
    }
  }
}
