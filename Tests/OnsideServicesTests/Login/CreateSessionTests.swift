import OnsideDomain
import OnsideProto
import OnsideServices
import OnsideStore
import RPC
import Testing

@Suite("Logging in")
struct CreateSessionTests {
  @Test("B12: the first login makes a profile, every later one finds it")
  func findsProfile() async throws {
    let fixture = try await MarketplaceFixture()
    let first = try await fixture.logIn()
    #expect(first.created)
    #expect(first.storefrontCountry == "DE")
    #expect(first.expiresAtMs == fixture.clock.now.milliseconds + 86_400_000)
    #expect((100...256).contains(first.sessionToken.utf8.count))
    #expect(ProfileID(first.profileID)?.description == first.profileID)
    for _ in 0..<3 {
      let again = try await fixture.logIn()
      #expect(!again.created)
      #expect(again.profileID == first.profileID)
      #expect(again.storefrontCountry == first.storefrontCountry)
      #expect(again.expiresAtMs == first.expiresAtMs)
      #expect(again.sessionToken != first.sessionToken)
    }
  }

  @Test("A known user's login asks nothing of the store")
  func knownUserWritesNothing() async throws {
    let store = MemoryStore()
    let fixture = try await MarketplaceFixture(store: store)
    _ = try await fixture.logIn()
    let commits = store.counters.commits
    await store.close()
    // A closed store answers nothing: whoever is answered now is answered from memory.
    let again = try await fixture.logIn()
    #expect(!again.created)
    #expect(store.counters.commits == commits)
    let unknown = try await failure { () throws(RPCError) in try await fixture.logIn("user-2") }
    #expect(unknown.code == .unavailable)
    #expect(unknown.refusalReason == .storeFailed)
  }

  @Test("Without a cache every login goes through the store, with the same answers")
  func withoutCache() async throws {
    let fixture = try await MarketplaceFixture { $0.profileCacheCapacity = 0 }
    let first = try await fixture.logIn()
    let again = try await fixture.logIn()
    #expect(first.created && !again.created)
    #expect(first.profileID == again.profileID)
    #expect(again.storefrontCountry == first.storefrontCountry)
  }

  @Test(
    "B16, B21: 60 simultaneous first logins of one user give one profile and no error",
    .timeLimit(.minutes(1)))
  func simultaneousFirstLogins() async throws {
    let file = try TemporaryFolder()
    for store in [MemoryStore(), try SQLiteStore(path: "\(file.path)/store")] as [any Store] {
      let fixture = try await MarketplaceFixture(store: store)
      let answers = try await withThrowingTaskGroup(of: CreateSessionResponse.self) { group in
        for _ in 0..<60 { group.addTask { try await fixture.logIn("late") } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers.count == 60)
      #expect(Set(answers.map(\.profileID)).count == 1)
      #expect(answers.filter(\.created).count == 1)
      #expect(Set(answers.map(\.sessionToken)).count == 60)
      await store.close()
    }
  }

  @Test("The same identifier in two apps is two profiles")
  func twoApps() async throws {
    let fixture = try await MarketplaceFixture()
    let shop = try await fixture.logIn()
    let other = try await fixture.logIn(app: TestCatalogue.other)
    #expect(other.created)
    #expect(shop.profileID != other.profileID)
    #expect(other.storefrontCountry == "KW")
  }

  @Test("An empty identifier, and none at all, are refused with a reason of their own")
  func emptyIdentifier() async throws {
    let fixture = try await MarketplaceFixture()
    for credential in [.externalUserID(""), nil] as [CreateSessionRequest.Credential?] {
      let error = try await failure { () throws(RPCError) in
        try await fixture.login.createSession(
          CreateSessionRequest(appID: TestCatalogue.shop, credential: credential))
      }
      #expect(error.code == .invalidArgument)
      #expect(error.info?.reason == "EXTERNAL_USER_ID_EMPTY")
      #expect(error.info?.domain == "onside.v1")
    }
  }

  @Test(
    "Identifiers up to 255 bytes of any script are taken; longer ones and control characters not")
  func identifierRules() async throws {
    let fixture = try await MarketplaceFixture()
    for user in ["x", " ", "😀", String(repeating: "ü", count: 127) + "x"] {
      #expect(try await fixture.logIn(user).created)
      #expect(try await !fixture.logIn(user).created)
    }
    for user in [String(repeating: "x", count: 256), "a\u{0}", "a\n", "\u{85}"] {
      let error = try await failure { () throws(RPCError) in try await fixture.logIn(user) }
      #expect(error.code == .invalidArgument)
      #expect(error.refusalReason == .externalUserIDInvalid)
      #expect(error.message.contains("255") && !error.message.contains("\n"))
    }
  }

  @Test("Identifiers that look alike are different users")
  func noNormalization() async throws {
    let fixture = try await MarketplaceFixture()
    let profiles = try await ["\u{E9}", "e\u{301}", "E\u{301}", "e"].asyncMap { user in
      try await fixture.logIn(user).profileID
    }
    #expect(Set(profiles).count == 4)
  }

  @Test("An app that isn't registered is NOT_FOUND with a reason that clients can tell apart")
  func unknownApp() async throws {
    let fixture = try await MarketplaceFixture()
    let error = try await failure { () throws(RPCError) in
      try await fixture.logIn(app: "com.example.nobody\n")
    }
    #expect(error.code == .notFound)
    #expect(error.refusalReason == .appNotRegistered)
    #expect(error.message.contains("com.example.nobody\\u{A}"))
  }

  @Test("A new profile's storefront comes from the hint, else from the app, else the catalogue")
  func storefronts() async throws {
    let fixture = try await MarketplaceFixture()
    for (user, app, hint, id, country) in [
      ("a", TestCatalogue.shop, "", "DE-1", "DE"), ("b", TestCatalogue.shop, "JP", "JP", "JP"),
      ("c", TestCatalogue.shop, "FR", "FR", "FR"), ("d", TestCatalogue.other, "", "KW", "KW"),
    ] {
      let session = try await fixture.session(user, app: app, country: hint)
      let profile = try await fixture.login.getProfile(GetProfileRequest(), options: session)
        .profile
      #expect(profile?.storefront?.id == id)
      #expect(profile?.storefront?.countryCode == country)
    }
    // Once made, it stays: the next hint is about where the user is, not where the profile belongs.
    #expect(try await fixture.logIn("b", country: "DE").storefrontCountry == "JP")
  }

  @Test(
    "A hint that is no country is refused, also for a known user",
    arguments: ["de", "DEU", "XX", "D", "Ü"])
  func badHint(_ hint: String) async throws {
    let fixture = try await MarketplaceFixture()
    for _ in 0..<2 {
      let error = try await failure { () throws(RPCError) in try await fixture.logIn(country: hint)
      }
      #expect(error.code == .invalidArgument)
      #expect(error.refusalReason == .countryInvalid)
      _ = try await fixture.logIn()
    }
  }
}

extension Sequence where Element: Sendable {
  /// The results of `transform` in order, one after the other.
  func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await transform(element)) }
    return values
  }
}
