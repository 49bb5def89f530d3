import Foundation
import OnsideClient
import OnsideKit
import OnsideProto
import Testing

extension LibraryTests {
  @Suite("Attribution and events") @MainActor struct Analytics {
    /// The events that the service has, once there are so many.
    private func events(_ kit: Kit, _ count: Int) async throws -> [OnsideProto.TrackedEvent] {
      while true {
        let request = ListEventsRequest(appID: KitService.app)
        let events = try await kit.service.sandbox.listEvents(request).events
        if events.count >= count { return events.reversed() }
      }
    }

    @Test("Events reach the service with their values; what is too long is cut")
    func tracked() async throws {
      try await Kit.run { kit, Onside in
        try Onside.trackEvent(
          "level_up", parameters: ["level": 3, "by": .string(String(repeating: "x", count: 120))])
        try Onside.trackEvent("start")
        let events = try await events(kit, 2)
        #expect(events.map(\.name) == ["level_up", "start"])
        #expect(events[0].parametersJson.contains("\"level\":3"))
        #expect(events[0].parametersJson.contains(String(repeating: "x", count: 100) + "\""))
        #expect(!events[0].parametersJson.contains(String(repeating: "x", count: 101)))
        #expect(Set(events.map(\.installationID)).count == 1)
      }
    }

    @Test("Where the installation came from is asked once, also over a restart")
    func attribution() async throws {
      try await Kit.run(initializes: false) { kit, Onside in
        var configuration = kit.configuration
        configuration.stateFolder = kit.service.folder + "/state"
        Onside.initialize(configuration: configuration)
        try Onside.trackEvent("start")
        let installation = try await events(kit, 1)[0].installationID
        _ = try await kit.service.sandbox.setAttribution(
          SetAttributionRequest(
            appID: KitService.app, installationID: installation,
            referrerURL: "https://example.com/ad?id=7"))
        let asked = try await kit.service.count("AnalyticsService/GetAttribution")
        async let first = Onside.attributionMetadata()
        async let second = Onside.attributionMetadata()
        #expect(try await first.refererUrl?.absoluteString == "https://example.com/ad?id=7")
        #expect(try await second.refererUrl != nil)
        await Onside.shutDown()
        Onside.initialize(configuration: configuration)
        #expect(try await Onside.attributionMetadata().refererUrl?.query == "id=7")
        #expect(try await kit.service.matched(asked) == 1)
      }
    }
  }
}
