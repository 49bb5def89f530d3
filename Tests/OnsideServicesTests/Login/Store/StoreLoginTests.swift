import OnsideDomain
import OnsideProto
import OnsideServices
import OnsideStore
import RPC
import Testing

@Suite("Logging in through the store app")
struct StoreLoginTests {
  private static let scheme = "shop-1.example+x"

  private func begin(
    _ fixture: MarketplaceFixture, app: String = TestCatalogue.shop, scheme: String = scheme
  ) async throws(RPCError) -> BeginStoreLoginResponse {
    try await fixture.login.beginStoreLogin(
      BeginStoreLoginRequest(appID: app, callbackScheme: scheme))
  }

  /// The store app's user decides; nil refuses.
  private func decide(
    _ fixture: MarketplaceFixture, _ login: BeginStoreLoginResponse,
    as number: String? = MarketplaceFixture.phoneNumber
  ) async throws -> String {
    try await fixture.control().decideStoreLogin(
      DecideStoreLoginRequest(loginID: login.loginID, phoneNumber: number ?? "")
    ).callbackURL
  }

  private func code(_ url: String) -> String {
    String(url.split(separator: "code=").last ?? "")
  }

  private func finish(
    _ fixture: MarketplaceFixture, _ login: BeginStoreLoginResponse, code: String,
    app: String = TestCatalogue.shop
  ) async throws(RPCError) -> CreateSessionResponse {
    try await fixture.login.createSession(
      CreateSessionRequest(
        appID: app, credential: .store(StoreCredential(loginID: login.loginID, code: code))))
  }

  private func refusal(
    _ fixture: MarketplaceFixture, _ login: BeginStoreLoginResponse, code: String,
    app: String = TestCatalogue.shop
  ) async throws -> RefusalReason? {
    let error = try await failure { () throws(RPCError) in
      try await finish(fixture, login, code: code, app: app)
    }
    #expect(error.code == .unauthenticated)
    return error.refusalReason
  }

  @Test("The app opens a URL, the user agrees, and the callback's code gives a session, once")
  func approved() async throws {
    let fixture = try await MarketplaceFixture()
    let login = try await begin(fixture)
    #expect(
      login.url == "onside://login?state=\(login.loginID)&app=com.example.shop"
        + "&callback=shop-1.example%2Bx%3A%2F%2Fonside%2Flogin")
    #expect(login.loginID.utf8.count <= 64)
    #expect(login.expiresAtMs == fixture.clock.now.milliseconds + 600_000)
    let url = try await decide(fixture, login)
    #expect(url.hasPrefix("shop-1.example+x://onside/login?state=\(login.loginID)&code="))
    let code = code(url)
    let session = try await finish(fixture, login, code: code)
    #expect(session.created)
    #expect(session.storefrontCountry == "DE")
    #expect(try await refusal(fixture, login, code: code) == .storeLoginExpired)
    // The account is the one of the phone number.
    let phone = try await fixture.logIn(phone: MarketplaceFixture.phoneNumber)
    #expect(phone.profileID == session.profileID)
    let profile = try await fixture.login.getProfile(
      GetProfileRequest(), options: .session(session.sessionToken)
    ).profile
    #expect(profile?.kind == .regular)
  }

  @Test("A refusal comes back in the callback, and no code gives a session")
  func refused() async throws {
    let fixture = try await MarketplaceFixture()
    let login = try await begin(fixture)
    let url = try await decide(fixture, login, as: nil)
    #expect(url == "\(Self.scheme)://onside/login?state=\(login.loginID)&error=refused")
    #expect(try await refusal(fixture, login, code: "") == .storeLoginRefused)
    #expect(
      try await refusal(fixture, login, code: ProfileID.random().description)
        == .storeLoginRefused)
  }

  @Test("Ten minutes are the limit, before and after the decision")
  func expired() async throws {
    let fixture = try await MarketplaceFixture()
    let early = try await begin(fixture)
    let code = code(try await decide(fixture, early))
    let late = try await begin(fixture)
    fixture.clock.advance(by: .milliseconds(599_999))
    let open = try await fixture.control().listStoreLogins(ListStoreLoginsRequest())
    #expect(open.logins.map(\.loginID) == [late.loginID])
    fixture.clock.advance(by: .milliseconds(1))
    #expect(try await refusal(fixture, early, code: code) == .storeLoginExpired)
    let closed = try await fixture.control().listStoreLogins(ListStoreLoginsRequest())
    #expect(closed.logins.isEmpty)
    let sandbox = try fixture.control()
    let error = try await failure { () throws(RPCError) in
      try await sandbox.decideStoreLogin(
        DecideStoreLoginRequest(loginID: late.loginID, phoneNumber: "+4915112345678"))
    }
    #expect(error.refusalReason == .sandboxNotFound)
  }

  @Test("A wrong code, one of another login, another app: refused, and the right one still works")
  func wrongCode() async throws {
    let fixture = try await MarketplaceFixture()
    let (login, other) = (try await begin(fixture), try await begin(fixture))
    let waiting = ProfileID.random().description
    #expect(try await refusal(fixture, login, code: waiting) == .storeLoginExpired)
    let code = code(try await decide(fixture, login))
    let otherCode = self.code(try await decide(fixture, other))
    for wrong in ["", "x", waiting, otherCode, String(code.dropLast())] {
      #expect(try await refusal(fixture, login, code: wrong) == .storeLoginExpired)
    }
    #expect(
      try await refusal(fixture, login, code: code, app: TestCatalogue.other)
        == .storeLoginExpired)
    #expect(try await finish(fixture, login, code: code).created)
  }

  @Test("The logins that wait are listed by app, oldest first; each is decided once")
  func listed() async throws {
    let fixture = try await MarketplaceFixture()
    let one = try await begin(fixture)
    let two = try await begin(fixture, app: TestCatalogue.other)
    let three = try await begin(fixture)
    func listed(_ app: String) async throws -> [StoreLogin] {
      try await fixture.control().listStoreLogins(ListStoreLoginsRequest(appID: app)).logins
    }
    #expect(try await listed("").map(\.loginID) == [one, two, three].map(\.loginID))
    #expect(try await listed(TestCatalogue.shop).map(\.url) == [one.url, three.url])
    _ = try await decide(fixture, one)
    #expect(try await listed(TestCatalogue.shop).map(\.loginID) == [three.loginID])
    await #expect { _ = try await decide(fixture, one, as: nil) } throws: { error in
      (error as? RPCError)?.refusalReason == .sandboxNotFound
    }
    await #expect { _ = try await decide(fixture, three, as: "0151") } throws: { error in
      (error as? RPCError)?.refusalReason == .phoneNumberInvalid
    }
    #expect(try await listed(TestCatalogue.shop).map(\.loginID) == [three.loginID])
  }

  @Test(
    "What isn't a URL scheme is refused",
    arguments: [
      "", "1shop", "shop://", "shop:", "sh op", "shöp", "-shop", String(repeating: "s", count: 65),
    ])
  func invalidScheme(_ scheme: String) async throws {
    let fixture = try await MarketplaceFixture()
    let error = try await failure { () throws(RPCError) in
      try await begin(fixture, scheme: scheme)
    }
    #expect(error.code == .invalidArgument)
    #expect(error.refusalReason == .callbackSchemeInvalid)
    #expect(try await !begin(fixture, scheme: String(repeating: "s", count: 64)).url.isEmpty)
  }

  @Test("A flood of logins fills no memory, and pushes nobody else's out")
  func flood() async throws {
    let fixture = try await MarketplaceFixture { $0.storeLogin.capacity = 100 }
    let hostile = try fixture.login(from: "198.51.100.7:40000")
    let honest = try await begin(fixture)
    for _ in 0..<300 {
      _ = try await hostile.beginStoreLogin(
        BeginStoreLoginRequest(appID: TestCatalogue.shop, callbackScheme: Self.scheme))
    }
    let waiting = try await fixture.control().listStoreLogins(ListStoreLoginsRequest()).logins
    #expect(waiting.count == 26)
    #expect(waiting.first?.loginID == honest.loginID)
    #expect(
      try await finish(fixture, honest, code: code(try await decide(fixture, honest))).created)
  }
}
