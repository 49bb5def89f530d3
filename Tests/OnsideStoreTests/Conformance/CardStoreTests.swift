import OnsideDomain
import OnsideStore
import Testing

@Suite("Saved cards, in each store")
struct CardStoreTests {
  private let profile = ProfileID(high: 3, low: 3)

  private func card(
    _ number: Int, of profile: ProfileID? = nil, token: String? = nil
  ) throws -> CardRecord {
    CardRecord(
      id: CardID(high: 1, low: UInt64(number)), profileID: profile ?? self.profile,
      label: CardLabel(brand: .visa, lastFour: "000\(number % 10)"),
      expiry: try #require(CardExpiry(month: 12, year: 2030)), token: token ?? "token-\(number)",
      createdAt: Fixtures.time(Int64(number)))
  }

  private func kept(_ store: any Store) async throws -> [UInt64] {
    try await store.cards(of: profile).map(\.id.low)
  }

  private func standard(_ store: any Store) async throws -> [UInt64] {
    try await store.cards(of: profile).filter(\.isDefault).map(\.id.low)
  }

  @Test("Cards are kept oldest first; the first is the default", arguments: StoreKind.allCases)
  func adds(kind: StoreKind) async throws {
    try await kind.withStore { store in
      #expect(try await store.cards(of: profile) == [])
      for number in [2, 1, 3] {
        guard case .added(let added) = try await store.addCard(try card(number)) else {
          Issue.record("not added")
          return
        }
        #expect(added.isDefault == (number == 2))
        #expect(added.label == (try card(number)).label)
      }
      #expect(try await kept(store) == [1, 2, 3])
      #expect(try await standard(store) == [2])
      #expect(try await store.cards(of: ProfileID.random()) == [])
    }
  }

  @Test("The same card is kept once; of two profiles, twice", arguments: StoreKind.allCases)
  func addsOnce(kind: StoreKind) async throws {
    try await kind.withStore { store in
      guard case .added(let first) = try await store.addCard(try card(1)) else {
        Issue.record("not added")
        return
      }
      #expect(try await store.addCard(try card(2, token: "token-1")) == .existing(first))
      let other = try card(1, of: ProfileID(high: 4, low: 4))
      guard case .added = try await store.addCard(other) else {
        Issue.record("another profile's card stands in the way")
        return
      }
      #expect(try await kept(store) == [1])
    }
  }

  @Test(
    "There are no more than the limit, also when they come at once", arguments: StoreKind.allCases)
  func limits(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let additions = try await withThrowingTaskGroup(of: CardAddition.self) { group in
        for number in 1...9 {
          let card = try card(number)
          group.addTask { try await store.addCard(card, limit: 4) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(additions.filter { $0 == .tooMany }.count == 5)
      let cards = try await store.cards(of: profile)
      #expect(cards.count == 4)
      #expect(cards.filter(\.isDefault).count == 1)
      // What is kept already is still answered.
      let again = CardRecord(
        id: .random(), profileID: profile, label: cards[0].label, expiry: cards[0].expiry,
        token: cards[0].token, createdAt: Fixtures.time(99))
      #expect(try await store.addCard(again, limit: 4) == .existing(cards[0]))
    }
  }

  @Test(
    "Removing the default makes the oldest of the others it; again changes nothing",
    arguments: StoreKind.allCases)
  func removes(kind: StoreKind) async throws {
    try await kind.withStore { store in
      for number in 1...4 { _ = try await store.addCard(try card(number)) }
      _ = try await store.setDefaultCard(try card(3).id, of: profile)
      for (number, rest, standard) in [
        (4, [1, 2, 3], [3]), (3, [1, 2], [1]), (3, [1, 2], [1]), (1, [2], [2]), (2, [], []),
      ] as [(Int, [UInt64], [UInt64])] {
        // A stranger removes nothing.
        try await store.removeCard(try card(number).id, of: ProfileID.random())
        try await store.removeCard(try card(number).id, of: profile)
        #expect(try await kept(store) == rest)
        #expect(try await self.standard(store) == standard)
      }
    }
  }

  @Test("One card is the default", arguments: StoreKind.allCases)
  func setsDefault(kind: StoreKind) async throws {
    try await kind.withStore { store in
      for number in 1...3 { _ = try await store.addCard(try card(number)) }
      for number in [2, 2, 3, 1] {
        let set = try await store.setDefaultCard(try card(number).id, of: profile)
        #expect(set?.isDefault == true && set?.id.low == UInt64(number))
        #expect(try await standard(store) == [UInt64(number)])
      }
      #expect(try await store.setDefaultCard(CardID.random(), of: profile) == nil)
      #expect(try await store.setDefaultCard(try card(2).id, of: ProfileID.random()) == nil)
      #expect(try await standard(store) == [1])
    }
  }

  @Test("A card's token is in no text")
  func secrecy() throws {
    let card = try card(1, token: "secret")
    var dumped = ""
    dump(card, to: &dumped)
    #expect(!"\(card) \(String(reflecting: card)) \([card]) \(dumped)".contains("secret"))
  }
}
