import OnsideDomain
import OnsideProto
import OnsideServices
import OnsideStore
import RPC
import Testing

@Suite("Attribution and tracked events")
struct AnalyticsTests {
  private static func event(
    _ id: String = "event-1", _ name: String = "opened", at time: Int64 = 1_000,
    _ parameters: (String, EventValue.Value?)...
  ) -> Event {
    Event(
      eventID: id, name: name,
      parameters: parameters.map { name, value in
        EventParameter(name: name, value: EventValue(value: value))
      }, occurredAtMs: time)
  }

  private static func request(
    _ events: [Event], installation: String = "phone"
  ) -> TrackEventsRequest {
    TrackEventsRequest(appID: TestCatalogue.shop, installationID: installation, events: events)
  }

  private func listed(
    _ fixture: MarketplaceFixture, limit: Int32 = 0
  ) async throws(RPCError) -> [TrackedEvent] {
    try await fixture.sandbox.listEvents(
      ListEventsRequest(appID: TestCatalogue.shop, limit: limit)
    ).events
  }

  @Test("An installation came from nowhere, until it is said where from")
  func attribution() async throws {
    let fixture = try await SandboxFixture.make()
    let phone = GetAttributionRequest(appID: TestCatalogue.shop, installationID: "phone")
    #expect(try await fixture.analytics.getAttribution(phone).referrerURL == "")
    for url in ["https://example.com/?from=test", ""] {
      _ = try await fixture.sandbox.setAttribution(
        SetAttributionRequest(
          appID: TestCatalogue.shop, installationID: "phone", referrerURL: url))
      #expect(try await fixture.analytics.getAttribution(phone).referrerURL == url)
    }
  }

  @Test("Events come with all kinds of values, are counted once, and are listed newest first")
  func events() async throws {
    let fixture = try await SandboxFixture.make()
    let list = EventValueList(values: [
      EventValue(value: .text("a")), EventValue(value: .number(2)), EventValue(value: .flag(false)),
    ])
    let first = Self.event(
      "event-1", "opened", at: 5, ("text", .text("\"é\"\n")), ("number", .number(1.5)),
      ("whole", .number(3)), ("flag", .flag(true)), ("list", .list(list)))
    let request = Self.request([first, Self.event("event-2")])
    #expect(try await fixture.analytics.trackEvents(request).accepted == 2)
    #expect(try await fixture.analytics.trackEvents(request).accepted == 0)
    let more = Self.request([Self.event("event-2"), Self.event("event-3")])
    #expect(try await fixture.analytics.trackEvents(more).accepted == 1)
    let events = try await listed(fixture)
    #expect(events.map(\.eventID) == ["event-3", "event-2", "event-1"])
    #expect(
      events.last?.parametersJson
        == #"{"text":"\"é\"\n","number":1.5,"whole":3,"flag":true,"list":["a",2,false]}"#)
    #expect(events.last?.occurredAtMs == 5 && events.last?.installationID == "phone")
    #expect(try await listed(fixture, limit: 1).map(\.eventID) == ["event-3"])
  }

  @Test(
    "Events against the rules are refused, all of their call",
    arguments: [
      (event(""), "event_id"), (event(String(repeating: "e", count: 65)), "event_id"),
      (event("é"), "event_id"), (event("a b"), "event_id"),
      (event("1", ""), "name"), (event("1", "1st"), "name"), (event("1", "_x"), "name"),
      (event("1", "a-b"), "name"), (event("1", String(repeating: "n", count: 41)), "name"),
      (event("1", "onside_opened"), "name"), (event("1", "x", at: -1), "occurred_at_ms"),
      (event("1", "x", at: .max), "occurred_at_ms"),
      (event("1", "x", ("onside_p", .flag(true))), "onside_p"),
      (event("1", "x", ("p", .flag(true)), ("p", .flag(true))), "p"),
      (event("1", "x", ("p", nil)), "p"), (event("1", "x", ("p", .number(.nan))), "p"),
      (event("1", "x", ("p", .number(.infinity))), "p"),
      (event("1", "x", ("p", .text(String(repeating: "é", count: 101)))), "p"),
      (
        event(
          "1", "x",
          (
            "p",
            .list(
              EventValueList(
                values: [EventValue](repeating: EventValue(value: .flag(true)), count: 26)))
          )), "p"
      ),
      (
        event(
          "1", "x",
          ("p", .list(EventValueList(values: [EventValue(value: .list(EventValueList()))])))), "p"
      ),
      (
        Event(
          eventID: "1", name: "x",
          parameters: (0..<26).map {
            EventParameter(name: "p\($0)", value: EventValue(value: .flag(true)))
          }), "parameters"
      ),
    ])
  func invalid(event: Event, field: String) async throws {
    let fixture = try await SandboxFixture.make()
    let error = try await failure { () throws(RPCError) in
      try await fixture.analytics.trackEvents(Self.request([Self.event("good"), event]))
    }
    #expect(error.code == .invalidArgument)
    #expect(error.refusalReason == .eventInvalid)
    #expect(error.info?.values["field"] == field)
    #expect(error.info?.values["position"] == "1")
    #expect(try await listed(fixture).isEmpty)
  }

  @Test("What is just within the limits is taken")
  func limits() async throws {
    let fixture = try await SandboxFixture.make()
    let text = EventValue.Value.text(String(repeating: "é", count: 100))
    let events = (0..<100).map { number in
      var event = Self.event(
        String(repeating: "e", count: 60) + "-\(number)", String(repeating: "n", count: 40))
      event.parameters = (0..<25).map {
        EventParameter(name: "p\($0)", value: EventValue(value: text))
      }
      return event
    }
    let installation = String(repeating: "i", count: 64)
    #expect(
      try await fixture.analytics.trackEvents(
        Self.request(events, installation: installation)
      ).accepted == 100)
  }

  @Test("No events, too many, parameters that are too long together, no installation")
  func wholeCalls() async throws {
    let fixture = try await SandboxFixture.make()
    let text = EventValue(value: .text(String(repeating: "x", count: 100)))
    let long = EventValueList(values: [EventValue](repeating: text, count: 25))
    var large = Self.event()
    large.parameters = (0..<7).map {
      EventParameter(name: "p\($0)", value: EventValue(value: .list(long)))
    }
    let requests = [
      Self.request([]), Self.request((0..<101).map { Self.event("\($0)") }),
      Self.request([large]), Self.request([Self.event()], installation: ""),
    ]
    for request in requests {
      let error = try await failure { () throws(RPCError) in
        try await fixture.analytics.trackEvents(request)
      }
      #expect(error.refusalReason == .eventInvalid)
    }
  }

  @Test("Past the limit of an app the oldest make room; after 30 days they are forgotten")
  func bounded() async throws {
    let fixture = try await SandboxFixture.make { $0.maximumTrackedEvents = 2 }
    for number in 1...3 {
      _ = try await fixture.analytics.trackEvents(Self.request([Self.event("\(number)")]))
    }
    #expect(try await listed(fixture).map(\.eventID) == ["3", "2"])
    fixture.clock.advance(by: .milliseconds(trackedEventRetention))
    _ = try await fixture.analytics.trackEvents(Self.request([Self.event("4")]))
    fixture.clock.advance(by: .milliseconds(1))
    await fixture.marketplace.purge()
    #expect(try await listed(fixture).map(\.eventID) == ["4"])
  }

  @Test("An app with a key comes with it, or with a session; an unknown app is refused")
  func apps() async throws {
    let key = try AppKey.random()
    let fixture = try await SandboxFixture.make { configuration in
      configuration.apps = AppRegistry([
        RegisteredApp(
          id: TestCatalogue.shop, name: "Keyed", keyHashes: [AppKeyHash.of(key)])
      ])
    }
    let request = Self.request([Self.event()])
    let refused = try await failure { () throws(RPCError) in
      try await fixture.analytics.trackEvents(request)
    }
    #expect(refused.refusalReason == .appKeyRequired)
    let options = CallOptions.appKey(key.text)
    #expect(try await fixture.analytics.trackEvents(request, options: options).accepted == 1)
    let session = CallOptions.session(try await fixture.logIn(options: options).sessionToken)
    #expect(try await fixture.analytics.trackEvents(request, options: session).accepted == 0)
    let unknown = try await failure { () throws(RPCError) in
      try await fixture.analytics.getAttribution(
        GetAttributionRequest(appID: "no-app", installationID: "phone"), options: session)
    }
    #expect(unknown.refusalReason == .appNotRegistered)
  }
}

/// SHA-256 of an app key, as the apps file has it.
private enum AppKeyHash {
  static func of(_ key: AppKey) -> [UInt8] {
    stride(from: 0, to: 64, by: 2).compactMap { offset in
      let start = key.hash.index(key.hash.startIndex, offsetBy: offset)
      return UInt8(key.hash[start...].prefix(2), radix: 16)
    }
  }
}
