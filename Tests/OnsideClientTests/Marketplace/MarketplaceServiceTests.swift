import OnsideDomain
import OnsideProto
import RPC
import Synchronization
import Testing

@testable import OnsideClient

/// Cards, history, attribution and events.
@Suite(.timeLimit(.minutes(1))) struct MarketplaceServiceTests {
  private func regular() throws -> Shop {
    let shop = try Shop(user: nil)
    shop.marketplace.host.loginMethod = { .local }
    shop.presenter.script.phoneNumber = { _ in .number("+491701234567") }
    shop.presenter.script.phoneCode = { _ in .code("123456") }
    return shop
  }

  @Test func cardsAreAddedChosenAndRemoved() async throws {
    let shop = try regular()
    let entry = { @Sendable in
      CardEntry(number: $0, expiryMonth: 1, expiryYear: 2030, securityCode: "1")
    }
    let turn = Mutex(0)
    shop.presenter.script.paymentMethods = { screen in
      let turn = turn.withLock { turn in
        turn += 1
        return turn
      }
      switch turn {
      case 1: return .add(entry("4111"))
      case 2: return .add(entry("4000"))
      case 3: return .add(entry("4222"))
      case 4: return .makeDefault(cardID: screen.cards[1].id)
      case 5: return .remove(cardID: screen.cards[0].id)
      default: return .done
      }
    }
    try await shop.marketplace.presentPaymentMethods()
    let screens = shop.presenter.shown.compactMap { shown -> PaymentMethodsScreen? in
      if case .paymentMethods(let screen) = shown { screen } else { nil }
    }
    #expect(screens.map(\.cards.count) == [0, 1, 1, 2, 2, 1])
    #expect(screens.map { $0.problem != nil } == [false, false, true, false, false, false])
    #expect(screens.last?.cards.first?.isDefault == true)
  }

  @Test func anExternalProfileHasNoCards() async throws {
    let shop = try Shop()
    let error = await problem { try await shop.marketplace.presentPaymentMethods() }
    #expect(error?.code == .notSupportedForExternalLogin)
    #expect(shop.service.calls("ListCards").isEmpty)
  }

  @Test func theHistoryNeedsASessionAndAsksNobodyForOne() async throws {
    let shop = try Shop()
    let error = await problem { _ = try await shop.marketplace.signedHistory() }
    #expect(error?.code == .notSignedIn)
    #expect(shop.service.calls("CreateSession").isEmpty)
    try await shop.marketplace.logIn()
    #expect(try await shop.marketplace.signedHistory() == "jws-of-external-anna")
  }

  @Test func theAttributionIsAskedForOnce() async throws {
    let shop = try Shop()
    let gate = Gate()
    shop.service.before("GetAttribution") { _ in await gate.wait() }
    async let first = shop.marketplace.attribution()
    async let second = shop.marketplace.attribution()
    gate.open()
    #expect(try await first == "https://example.com/ad")
    #expect(try await second == "https://example.com/ad")
    let next = try Shop(service: shop.service, store: shop.store)
    #expect(try await next.marketplace.attribution() == "https://example.com/ad")
    #expect(shop.service.calls("GetAttribution").count == 1)
  }

  @Test func aFailedAttributionIsAskedForAgain() async throws {
    let shop = try Shop()
    shop.service.before("GetAttribution") { call in
      if call == 1 { throw RPCError(.unavailable, "down") }
    }
    let error = await problem { _ = try await shop.marketplace.attribution() }
    #expect(error?.code == .unavailable)
    #expect(try await shop.marketplace.attribution() != nil)
    #expect(Set(shop.service.calls("GetAttribution")).count == 1)
  }

  @Test func eventsAreSentInBatchesAndNotLost() async throws {
    let shop = try Shop()
    let arrived = Gate()
    shop.service.after("TrackEvents") { call in
      if call == 1 { throw RPCError(.unavailable, "the reply was lost") }
      if call == 4 { arrived.open() }
    }
    let start = Gate()
    shop.service.before("TrackEvents") { _ in await start.wait() }
    for number in 0..<250 { try shop.marketplace.track("step_\(number)") }
    start.open()
    await arrived.wait()
    let events = shop.service.books.withLock { $0.events }
    #expect(events.map(\.name) == (0..<250).map { "step_\($0)" })
    #expect(shop.service.calls("TrackEvents").allSatisfy { (Int($0) ?? 0) <= 100 })
  }

  @Test func namesAndParametersHaveLimits() throws {
    for name in ["", "1a", "a b", "ä", "onside_x", String(repeating: "a", count: 41)] {
      #expect(throws: OnsideError.self, "\(name)") {
        try TrackedEvent(name, occurredAtMilliseconds: 0)
      }
      #expect(throws: OnsideError.self, "\(name)") {
        try TrackedEvent("ok", parameters: [name: .flag(true)], occurredAtMilliseconds: 0)
      }
    }
    let many = Dictionary(
      uniqueKeysWithValues: (0..<26).map { ("p\($0)", TrackedEvent.Value.flag(true)) })
    #expect(throws: OnsideError.self) {
      try TrackedEvent("ok", parameters: many, occurredAtMilliseconds: 0)
    }
    for value in [TrackedEvent.Value.number(.nan), .list([.list([])])] {
      #expect(throws: OnsideError.self) {
        try TrackedEvent("ok", parameters: ["p": value], occurredAtMilliseconds: 0)
      }
    }
  }

  @Test func longTextsAndListsAreCut() throws {
    let event = try TrackedEvent(
      "ok",
      parameters: [
        "text": .text(String(repeating: "é", count: 150)),
        "list": .list(Array(repeating: .number(1), count: 30)),
      ], occurredAtMilliseconds: 0)
    #expect(event.parameters["text"] == .text(String(repeating: "é", count: 100)))
    #expect(event.parameters["list"] == .list(Array(repeating: .number(1), count: 25)))
  }

  @Test func aBufferLeavesTheOldestOut() throws {
    var buffer = EventBuffer()
    for number in 0..<(EventBuffer.capacity + 5) {
      buffer.append(try TrackedEvent("e\(number)", occurredAtMilliseconds: 0))
    }
    #expect(buffer.dropped == 5)
    #expect(buffer.batch.first?.name == "e5")
    #expect(buffer.batch.count == EventBuffer.batchSize)
  }
}
