import OnsideDomain
import OnsideStore
import Testing

@Suite("Regular profiles, in each store")
struct RegularProfileTests {
  private func number(_ text: String) throws -> PhoneNumber {
    try #require(PhoneNumber(e164: text))
  }

  @Test("A phone number has one profile, in no app", arguments: StoreKind.allCases)
  func makesAndFinds(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let proposed = try Fixtures.regular("+4915112345678")
      let made = try await store.findOrCreateProfile(proposed)
      #expect(made == ProfileCreation(profile: proposed, created: true))
      #expect(made.profile.appID == nil)
      let again = try await store.findOrCreateProfile(try Fixtures.regular("+4915112345678"))
      #expect(again == ProfileCreation(profile: proposed, created: false))
      let found = try await store.findProfile(phoneNumber: try number("+4915112345678"))
      #expect(found == proposed)
      #expect(try await store.findProfile(proposed.id) == proposed)
      #expect(try await store.findProfile(phoneNumber: try number("+4915112345679")) == nil)
      let other = try await store.findOrCreateProfile(try Fixtures.regular("+81312345678"))
      #expect(other.created && other.profile.id != proposed.id)
    }
  }

  @Test(
    "A number and an external identifier of the same text are two", arguments: StoreKind.allCases)
  func kindsAreApart(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let external = try await store.findOrCreateProfile(try Fixtures.profile("+4915112345678"))
      let regular = try await store.findOrCreateProfile(try Fixtures.regular("+4915112345678"))
      #expect(external.created && regular.created)
      #expect(try await store.findProfile(appID: "", externalUserID: "+4915112345678") == nil)
    }
  }

  @Test("60 first logins of one number at once give one profile", arguments: StoreKind.allCases)
  func makesOneOfMany(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let made = try await withThrowingTaskGroup(of: ProfileCreation.self) { group in
        for _ in 0..<60 {
          let proposed = try Fixtures.regular()
          group.addTask { try await store.findOrCreateProfile(proposed) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(Set(made.map(\.profile.id)).count == 1)
      #expect(made.filter(\.created).count == 1)
    }
  }

  @Test("A profile identifier that is taken is refused", arguments: StoreKind.allCases)
  func refusesTakenIdentifier(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let id = ProfileID.random()
      _ = try await store.findOrCreateProfile(try Fixtures.regular("+4915112345678", id: id))
      let second = try Fixtures.regular("+4915112345679", id: id)
      await #expect { _ = try await store.findOrCreateProfile(second) } throws: { error in
        (error as? StoreError)?.code == .requestFailed
      }
    }
  }

  @Test(
    "A storefront that is set stays, and is listed from its time on", arguments: StoreKind.allCases)
  func setsStorefront(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let regular = try await store.findOrCreateProfile(try Fixtures.regular()).profile
      let external = try await store.findOrCreateProfile(try Fixtures.profile("user")).profile
      _ = try await store.findOrCreateProfile(try Fixtures.profile("unmoved"))
      #expect(try await store.storefrontChanges(since: Fixtures.time(0)).isEmpty)
      let japan = try Fixtures.storefront("JP")
      for (profile, time) in [(external, 2_000), (regular, 1_000), (external, 3_000)] {
        let moved = try await store.setStorefront(
          japan, of: profile.id, at: Fixtures.time(Int64(time)))
        #expect(moved == profile.moved(to: japan))
        #expect(try await store.findProfile(profile.id) == moved)
      }
      let all = try await store.storefrontChanges(since: Fixtures.time(1_000))
      #expect(all.map(\.profileID) == [regular.id, external.id])
      #expect(all.map(\.changedAt) == [Fixtures.time(1_000), Fixtures.time(3_000)])
      #expect(all.map(\.storefront) == [japan, japan])
      let late = try await store.storefrontChanges(since: Fixtures.time(1_001))
      #expect(late.map(\.profileID) == [external.id])
      // Logging in again finds the profile where it is now.
      let again = try await store.findOrCreateProfile(try Fixtures.regular())
      #expect(again.profile.storefront == japan)
    }
  }

  @Test("Nobody's storefront can't be set", arguments: StoreKind.allCases)
  func nobody(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let moved = try await store.setStorefront(
        try Fixtures.storefront(), of: .random(), at: Fixtures.start)
      #expect(moved == nil)
      #expect(try await store.storefrontChanges(since: Fixtures.time(-1)).isEmpty)
    }
  }

  @Test("One account's purchases are listed by app", arguments: StoreKind.allCases)
  func transactionsByApp(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let profile = try await store.findOrCreateProfile(try Fixtures.regular()).profile.id
      let one = try await Fixtures.begun(
        try Fixtures.intent("key", profile: profile, app: "one", exclusive: true), in: store)
      let two = try await Fixtures.begun(
        try Fixtures.intent("key", profile: profile, app: "two", exclusive: true), in: store)
      for (app, transaction) in [("one", one), ("two", two)] {
        let page = try await store.listTransactions(
          TransactionQuery(profileID: profile, appID: app, limit: 10))
        #expect(page.transactions == [transaction])
        #expect(page.transactions.first?.appID == app)
      }
    }
  }
}
