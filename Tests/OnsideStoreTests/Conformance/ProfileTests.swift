import OnsideDomain
import OnsideStore
import Testing

@Suite("Profiles, in each store")
struct ProfileTests {
  @Test("A profile is made once and found afterwards", arguments: StoreKind.allCases)
  func makesAndFinds(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let proposed = try Fixtures.profile("user-1")
      let made = try await store.findOrCreateProfile(proposed)
      #expect(made == ProfileCreation(profile: proposed, created: true))
      let again = try await store.findOrCreateProfile(try Fixtures.profile("user-1"))
      #expect(again == ProfileCreation(profile: proposed, created: false))
      let byUser = try await store.findProfile(
        appID: "com.example.shop", externalUserID: "user-1")
      #expect(byUser == proposed)
      #expect(try await store.findProfile(proposed.id) == proposed)
      #expect(try await store.findProfile(ProfileID.random()) == nil)
      #expect(try await store.findProfile(appID: "com.example.shop", externalUserID: "x") == nil)
    }
  }

  @Test("A known profile costs no commit", arguments: [StoreKind.sqlite])
  func findingWritesNothing(kind: StoreKind) async throws {
    try await kind.withStore { store in
      _ = try await store.findOrCreateProfile(try Fixtures.profile("user-1"))
      let before = store.counters.commits
      _ = try await store.findOrCreateProfile(try Fixtures.profile("user-1"))
      #expect(store.counters.commits == before)
    }
  }

  @Test("One identifier in two apps is two profiles", arguments: StoreKind.allCases)
  func separatesApps(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let one = try await store.findOrCreateProfile(try Fixtures.profile("user", app: "one"))
      let two = try await store.findOrCreateProfile(try Fixtures.profile("user", app: "two"))
      #expect(one.created && two.created)
      #expect(one.profile.id != two.profile.id)
    }
  }

  @Test("Identifiers are compared byte by byte", arguments: StoreKind.allCases)
  func comparesBytes(kind: StoreKind) async throws {
    try await kind.withStore { store in
      // The same character in two encodings of Unicode, equal as Swift strings.
      for user in ["\u{e9}", "e\u{301}", "E", "e", "e ", " e"] {
        let made = try await store.findOrCreateProfile(try Fixtures.profile(user))
        #expect(made.created, "\(Array(user.utf8))")
        let found = try await store.findProfile(
          appID: "com.example.shop", externalUserID: user)
        #expect(found?.id == made.profile.id)
      }
    }
  }

  @Test(
    "A profile without an identifier or phone number can be made any number of times",
    arguments: StoreKind.allCases)
  func makesRegularProfiles(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let one = try Fixtures.profile(nil)
      #expect(try await store.findOrCreateProfile(one).created)
      #expect(try await store.findOrCreateProfile(try Fixtures.profile(nil)).created)
      #expect(try await store.findProfile(one.id) == one)
    }
  }

  @Test("A profile identifier that is taken is refused", arguments: StoreKind.allCases)
  func refusesTakenIdentifier(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let id = ProfileID.random()
      _ = try await store.findOrCreateProfile(try Fixtures.profile("one", id: id))
      let second = try Fixtures.profile("two", id: id)
      await #expect { _ = try await store.findOrCreateProfile(second) } throws: { error in
        (error as? StoreError)?.code == .requestFailed
      }
      #expect(try await store.findProfile(id)?.externalUserID == "one")
    }
  }

  @Test("60 first logins of one identifier at once give one profile", arguments: StoreKind.allCases)
  func makesOneOfMany(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let made = try await withThrowingTaskGroup(of: ProfileCreation.self) { group in
        for _ in 0..<60 {
          let proposed = try Fixtures.profile("the same")
          group.addTask { try await store.findOrCreateProfile(proposed) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(made.count == 60)
      #expect(Set(made.map(\.profile.id)).count == 1)
      #expect(made.filter(\.created).count == 1)
    }
  }
}
