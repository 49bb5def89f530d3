import OnsideClient
import OnsideDomain
import RPC
import Testing

@Suite struct ClientSessionTests {
  private let marketplace = FakeMarketplace()

  @Test func aLoginOpensASessionAndLoadsItsProfile() async throws {
    let client = try marketplace.client()
    let profile = try await client.logIn(externalUserID: "anna")
    #expect(profile.kind == .external)
    #expect(profile.storefront.country.alpha2 == "DE")
    #expect(client.session?.token == "token-1")
    #expect(marketplace.calls("GetProfile").map(\.token) == ["token-1"])
  }

  @Test func anEmptyIdentifierIsSentAsItIs() async throws {
    let client = try marketplace.client()
    try await client.logIn(externalUserID: "")
    #expect(marketplace.calls("CreateSession").map(\.detail) == [""])
  }

  @Test func theAppKeyGoesWithTheCallsThatNameTheApp() async throws {
    let client = try marketplace.client(.init(appID: "com.example.shop", appKey: "key"))
    _ = try await client.products(["coins"])
    try await client.logIn(externalUserID: "anna")
    _ = try await client.products(["coins"])
    #expect(marketplace.calls("CreateSession").map(\.appKey) == ["key"])
    #expect(marketplace.calls("ListProducts").map(\.appKey) == ["key", nil])
  }

  @Test func twoLoginsOfOneUserAtTheSameMomentMakeOneSession() async throws {
    let client = try marketplace.client()
    let (arrived, answer) = marketplace.hold("CreateSession")
    async let first = client.logIn(externalUserID: "anna")
    await arrived.wait()
    async let second = client.logIn(externalUserID: "anna")
    answer.open()
    #expect(try await first == second)
    #expect(marketplace.calls("CreateSession").count == 1)
  }

  @Test func aUserWhoIsSignedInIsNotReplaced() async throws {
    let client = try marketplace.client()
    try await client.logIn(externalUserID: "anna")
    await #expect(throws: OnsideError.self) { try await client.logIn(externalUserID: "bert") }
    #expect(client.session?.token == "token-1")
    try await client.logIn(externalUserID: "anna")
    #expect(marketplace.calls("CreateSession").count == 1)
  }

  /// Case B2: the login is half done; the session must not be used, and must not be left behind.
  @Test func aSessionWhoseProfileCantBeLoadedIsEnded() async throws {
    let client = try marketplace.client()
    marketplace.before("GetProfile") { _ in throw RPCError(.unavailable, "down") }
    let error = await failure { try await client.logIn(externalUserID: "anna") }
    #expect(error?.code == .profileUnavailable)
    #expect(client.session == nil)
    #expect(marketplace.calls("EndSession").map(\.token) == ["token-1"])
  }

  @Test func aFailedLoginLeavesTheWayFreeForAnother() async throws {
    let client = try marketplace.client()
    marketplace.before("CreateSession") { call in
      if call == 1 { throw RPCError(.unavailable, "down") }
    }
    #expect(await failure { try await client.logIn(externalUserID: "anna") }?.code == .unavailable)
    try await client.logIn(externalUserID: "bert")
    #expect(client.session?.profileID == "profile-bert")
  }

  /// Case B3: calls wait for the login that is under way, and come with its session.
  @Test func callsWaitForALoginUnderWay() async throws {
    let client = try marketplace.client()
    let (arrived, answer) = marketplace.hold("CreateSession")
    async let login = client.logIn(externalUserID: "anna")
    await arrived.wait()
    async let products = client.products(["coins"])
    async let transactions = client.transactions(limit: 1)
    answer.open()
    _ = try await (login, products, transactions)
    #expect(marketplace.calls("ListProducts").map(\.token) == ["token-1"])
    #expect(marketplace.calls("ListTransactions").map(\.token) == ["token-1"])
  }

  @Test func aCancelledTaskStopsWaitingForALogin() async throws {
    let client = try marketplace.client()
    let (arrived, answer) = marketplace.hold("CreateSession")
    async let login = client.logIn(externalUserID: "anna")
    await arrived.wait()
    let waiting = Task { await failure { _ = try await client.products(["coins"]) } }
    waiting.cancel()
    #expect(await waiting.value?.code == .cancelled)
    answer.open()
    _ = try await login
  }

  /// Cases B1 and B5: what was asked for one user never reaches another.
  @Test func anAnswerThatComesAfterTheUserChangedIsDropped() async throws {
    let client = try marketplace.client()
    try await client.logIn(externalUserID: "anna")
    let (arrived, answer) = marketplace.hold("ListProducts")
    let late = Task { await failure { _ = try await client.products(["coins"]) } }
    await arrived.wait()
    try await client.logOut()
    try await client.logIn(externalUserID: "bert")
    answer.open()
    #expect(await late.value?.code == .superseded)
    #expect(client.session?.profileID == "profile-bert")
  }

  /// Case B11: a login that is overtaken ends, with an error that says so.
  @Test func aLogoutOvertakesALoginAndTheHalfMadeSessionIsEnded() async throws {
    let client = try marketplace.client()
    let (arrived, answer) = marketplace.hold("GetProfile")
    let login = Task { await failure { try await client.logIn(externalUserID: "anna") } }
    await arrived.wait()
    try await client.logOut()
    answer.open()
    #expect(await login.value?.code == .superseded)
    #expect(client.session == nil)
    #expect(marketplace.calls("EndSession").map(\.token) == ["token-1"])
  }

  @Test(arguments: ["SESSION_EXPIRED", "SESSION_ENDED", "SESSION_INVALID"])
  func aSessionThatTheServiceRefusesIsForgotten(reason: String) async throws {
    let client = try marketplace.client()
    try await client.logIn(externalUserID: "anna")
    marketplace.before("ListTransactions") { _ in
      throw RPCError(
        .unauthenticated, "no", info: ErrorInfo(reason: reason, domain: "onside.v1"))
    }
    let error = await failure { _ = try await client.transactions() }
    #expect(error?.code == .sessionLost)
    #expect(error?.reason?.rawValue == reason)
    #expect(client.session == nil)
  }

  /// Case B10: nothing of a user stays behind.
  @Test func aLogoutForgetsTheUserEvenWhenTheServiceIsDown() async throws {
    let client = try marketplace.client()
    try await client.logIn(externalUserID: "anna")
    marketplace.before("EndSession") { _ in throw RPCError(.unavailable, "down") }
    #expect(await failure { try await client.logOut() }?.code == .unavailable)
    #expect(client.session == nil)
  }

  @Test func withoutASessionCallsThatNeedOneAreNotSent() async throws {
    let client = try marketplace.client()
    #expect(await failure { _ = try await client.transactions() }?.code == .notSignedIn)
    #expect(marketplace.calls("ListTransactions").isEmpty)
  }

  @Test func aDamagedKeptSessionIsAnErrorAndNotATrap() async throws {
    let client = try marketplace.client()
    try client.resume(Session(token: "a\u{0}b", profileID: "p", expiresAtMilliseconds: 0))
    #expect(await failure { _ = try await client.transactions() }?.code == .refused)
  }
}

/// The error that something ends with.
func failure(_ body: () async throws -> Void) async -> OnsideError? {
  do {
    try await body()
    return nil
  } catch {
    return error as? OnsideError
  }
}
