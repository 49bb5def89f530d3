import OnsideDomain
import RPC
import Synchronization
import Testing

@testable import OnsideClient

/// Logins against a service: each sentence of the sequence, and what may happen at the same time.
@Suite(.timeLimit(.minutes(1))) struct MarketplaceLoginTests {
  private func phone(_ presenter: ScriptedPresenter, code: String = "123456") {
    presenter.script.phoneNumber = { _ in .number("+491701234567") }
    presenter.script.phoneCode = { _ in .code(code) }
  }

  private func down(_ call: Int) async throws { throw RPCError(.unavailable, "down") }

  @Test func theExternalAccountMakesTheSession() async throws {
    let shop = try Shop(user: "anna")
    try await shop.marketplace.logIn()
    #expect(shop.marketplace.profile?.kind == .external)
    #expect(shop.marketplace.storefront?.id == "DE")
    #expect(shop.presenter.shown.isEmpty)
  }

  @Test func withoutAnIdentifierTheMethodIsAskedFor() async throws {
    let shop = try Shop(user: nil)
    shop.marketplace.host = MarketplaceHost(
      externalAccount: { nil }, loginMethod: { .local })
    phone(shop.presenter)
    try await shop.marketplace.logIn()
    #expect(shop.marketplace.profile?.kind == .regular)
    #expect(shop.service.calls("CreateSession").count == 1)
  }

  @Test func anEmptyIdentifierIsSentAndRefusedThenTheMethodIsAskedFor() async throws {
    let shop = try Shop(user: nil)
    shop.marketplace.host = MarketplaceHost(externalAccount: { "" }, loginMethod: { .local })
    phone(shop.presenter)
    try await shop.marketplace.logIn()
    #expect(shop.service.calls("CreateSession").count == 2)
    #expect(shop.marketplace.profile?.kind == .regular)
  }

  @Test func afterAFailedSessionTheMethodIsAskedFor() async throws {
    let shop = try Shop(user: "anna")
    shop.marketplace.host.loginMethod = { .local }
    shop.service.before("CreateSession") { call in
      if call == 1 { throw RPCError(.unavailable, "down") }
    }
    phone(shop.presenter)
    try await shop.marketplace.logIn()
    #expect(shop.marketplace.profile?.kind == .regular)
  }

  /// Case B2: the half-made session is ended and never used; the phone login follows, also where
  /// the method would be the store app.
  @Test func afterAFailedProfileThePhoneFollowsAndNeverTheStoreApp() async throws {
    let shop = try Shop(user: "anna", callbackScheme: "shop")
    let wasAsked = Mutex(false)
    shop.marketplace.host.loginMethod = {
      wasAsked.withLock { $0 = true }
      return .auto
    }
    shop.service.before("GetProfile") { call in
      if call == 1 { throw RPCError(.internal, "broken") }
    }
    phone(shop.presenter)
    try await shop.marketplace.logIn()
    #expect(shop.marketplace.profile?.kind == .regular)
    #expect(!wasAsked.withLock { $0 })
    #expect(shop.service.calls("BeginStoreLogin").isEmpty)
    #expect(shop.service.calls("EndSession") == ["token-1"])
    #expect(shop.service.books.withLock { $0.sessions.count } == 1)
  }

  @Test func aSessionIsReusedAndNobodyIsAsked() async throws {
    let shop = try Shop(user: "anna")
    try await shop.marketplace.logIn()
    shop.marketplace.host.externalAccount = { "bert" }
    try await shop.marketplace.logIn()
    _ = try await shop.marketplace.add(Payment(try await shop.product()))
    #expect(shop.service.calls("CreateSession").count == 1)
    #expect(shop.marketplace.profile?.externalUserID == "anna")
  }

  @Test func actionsAtTheSameMomentShareOneLogin() async throws {
    let shop = try Shop(user: nil)
    let product = try await shop.product()
    let gate = Gate()
    let asked = Mutex(0)
    shop.marketplace.host.externalAccount = {
      asked.withLock { $0 += 1 }
      await gate.wait()
      return "anna"
    }
    async let first: Void = shop.marketplace.logIn()
    async let second = shop.marketplace.add(Payment(product))
    async let third: Void = shop.marketplace.restoreCompletedTransactions()
    gate.open()
    try await first
    _ = try await second
    try await third
    #expect(asked.withLock { $0 } == 1)
    #expect(shop.service.calls("CreateSession").count == 1)
  }

  /// An answer that comes after the logout is ignored, and the login doesn't wait for it.
  @Test func anAccountThatComesAfterTheLogoutIsIgnored() async throws {
    let shop = try Shop(user: nil)
    let asked = Gate()
    let answer = Gate()
    let answered = Gate()
    shop.marketplace.host.externalAccount = {
      asked.open()
      await answer.wait()
      defer { answered.open() }
      return "anna"
    }
    let login = Task { await problem { try await shop.marketplace.logIn() } }
    await asked.wait()
    shop.marketplace.logOut()
    #expect(await login.value?.code == .superseded)
    answer.open()
    await answered.wait()
    shop.marketplace.host.externalAccount = { "bert" }
    try await shop.marketplace.logIn()
    #expect(shop.marketplace.profile?.externalUserID == "bert")
    #expect(shop.service.calls("CreateSession").count == 1)
  }

  /// Case B5, B10: a session that is made during a logout isn't the user's any more.
  @Test func aSessionThatComesAfterTheLogoutIsEnded() async throws {
    let shop = try Shop(user: "anna")
    let arrived = Gate()
    let answer = Gate()
    shop.service.after("CreateSession") { _ in
      arrived.open()
      await answer.wait()
    }
    let login = Task { await problem { try await shop.marketplace.logIn() } }
    await arrived.wait()
    await shop.marketplace.logOut().value
    answer.open()
    #expect(await login.value?.code == .superseded)
    shop.service.after("CreateSession", nil)
    try await shop.marketplace.logIn()
    #expect(shop.marketplace.profile?.externalUserID == "anna")
  }

  /// Case B8: each change of the user is told, with who it was.
  @Test func logoutThenLoginSwitchesTheKindOfProfile() async throws {
    let shop = try Shop(user: "anna")
    let recorder = Recorder(shop.marketplace)
    try await shop.marketplace.logIn()
    await shop.marketplace.logOut().value
    #expect(shop.marketplace.profile == nil)
    #expect(shop.marketplace.storefront == nil)
    shop.marketplace.host = MarketplaceHost(loginMethod: { .local })
    phone(shop.presenter)
    try await shop.marketplace.logIn()
    #expect(shop.marketplace.profile?.kind == .regular)
    await recorder.until { events in
      events.filter { if case .userChanged = $0 { true } else { false } }.count == 3
    }
    let kinds = recorder.events.compactMap { event -> String? in
      guard case .userChanged(let from, let to) = event else { return nil }
      return "\(from?.kind.rawValue ?? 0)-\(to?.kind.rawValue ?? 0)"
    }
    #expect(kinds == ["0-2", "2-0", "0-1"])
  }

  /// Case B12: the same account is the same profile.
  @Test func theSameAccountIsTheSameProfile() async throws {
    let shop = try Shop(user: "anna")
    try await shop.marketplace.logIn()
    let first = shop.marketplace.profile?.id
    await shop.marketplace.logOut().value
    try await shop.marketplace.logIn()
    #expect(shop.marketplace.profile?.id == first)
  }

  @Test func theStoreAppHandsOver() async throws {
    let shop = try Shop(user: nil, callbackScheme: "shop")
    let marketplace = shop.marketplace
    shop.presenter.script.open = { url in
      let state = url.split(separator: "=").last ?? ""
      #expect(!marketplace.handle(url: "shop://onside/login?state=other&code=approved"))
      #expect(marketplace.handle(url: "shop://onside/login?state=\(state)&code=approved"))
      #expect(!marketplace.handle(url: "shop://onside/login?state=\(state)&code=approved"))
      return true
    }
    try await marketplace.logIn()
    #expect(marketplace.profile?.id == "store-account")
  }

  @Test func theStoreAppsRefusalDiscardsTheLogin() async throws {
    let shop = try Shop(user: nil, callbackScheme: "shop")
    let marketplace = shop.marketplace
    shop.presenter.script.open = { url in
      let state = url.split(separator: "=").last ?? ""
      return marketplace.handle(url: "shop://onside/login?state=\(state)&error=refused")
    }
    #expect(await problem { try await marketplace.logIn() }?.code == .loginDiscarded)
  }

  @Test func aStoreAppThatSaysNothingDiscardsTheLogin() async throws {
    let service = FakeService()
    let presenter = ScriptedPresenter()
    presenter.script.open = { _ in true }
    var configuration = Shop.configuration("shop")
    configuration.pause = { _ in }
    let marketplace = Marketplace(
      backend: try service.client(), presenter: presenter, store: MemoryStateStore(),
      configuration: configuration)
    #expect(await problem { try await marketplace.logIn() }?.code == .loginDiscarded)
    marketplace.close()
  }

  @Test func withoutTheStoreAppThePhoneFollows() async throws {
    let shop = try Shop(user: nil, callbackScheme: "shop")
    phone(shop.presenter)
    try await shop.marketplace.logIn()
    #expect(shop.marketplace.profile?.kind == .regular)
    #expect(shop.service.calls("BeginStoreLogin") == ["shop"])
  }

  @Test func aWrongCodeMayBeCorrectedAndAnotherOneSent() async throws {
    let shop = try Shop(user: nil)
    phone(shop.presenter)
    let codes = Mutex<[PhoneCodeAnswer]>([.code("000000"), .resend, .code("123456")])
    shop.presenter.script.phoneCode = { _ in codes.withLock { $0.removeFirst() } }
    try await shop.marketplace.logIn()
    #expect(shop.service.calls("SendPhoneCode").count == 2)
    let problems = shop.presenter.shown.compactMap { shown -> String? in
      if case .phoneCode(let screen) = shown { screen.problem ?? "-" } else { nil }
    }
    #expect(problems == ["-", "PHONE_CODE_WRONG", "-"])
  }

  @Test func aClosedLoginIsDiscardedAndNothingIsDone() async throws {
    let shop = try Shop(user: nil)
    let product = try await shop.product()
    let error = await problem { try await shop.marketplace.add(Payment(product)) }
    #expect(error?.code == .loginDiscarded)
    #expect(shop.marketplace.transactions.isEmpty)
  }

  /// Case B1 and B7: products of nobody, still on their way when a user comes, aren't the user's.
  @Test func productsOfAnEarlierUserAreAskedForAgain() async throws {
    let shop = try Shop(user: "anna")
    let arrived = Gate()
    let answer = Gate()
    shop.service.after("ListProducts") { call in
      guard call == 1 else { return }
      arrived.open()
      await answer.wait()
    }
    let products = Task { try await shop.marketplace.products(["gate"]) }
    await arrived.wait()
    try await shop.marketplace.logIn()
    answer.open()
    let list = try await products.value
    #expect(list.unsupportedIdentifiers == ["gate"])
    #expect(shop.service.calls("ListProducts").count >= 2)
  }

  /// Case B3: what needs a session waits for the login that is under way.
  @Test func callsWaitForTheLogin() async throws {
    let shop = try Shop(user: "anna")
    let arrived = Gate()
    let answer = Gate()
    shop.service.before("CreateSession") { _ in
      arrived.open()
      await answer.wait()
    }
    let login = Task { try await shop.marketplace.logIn() }
    await arrived.wait()
    let products = Task { try await shop.marketplace.products(["gate"]) }
    answer.open()
    try await login.value
    #expect(try await products.value.unsupportedIdentifiers == ["gate"])
  }

  @Test func whileNobodyIsSignedInTheHostsCountryDecides() async throws {
    let shop = try Shop(user: nil)
    shop.marketplace.host.countryHint = { "JP" }
    #expect(try await shop.product().storefront.id == "JP")
    #expect(shop.marketplace.storefront == nil)
  }

  /// The session and its profile are there again at the next launch, without a login.
  @Test func theSessionSurvivesTheProcess() async throws {
    let shop = try Shop(user: "anna")
    try await shop.marketplace.logIn()
    _ = await shop.marketplace.saved()
    shop.marketplace.close()
    let next = try Shop(service: shop.service, user: nil, store: shop.store)
    await next.marketplace.start()
    #expect(next.marketplace.profile?.externalUserID == "anna")
    await next.marketplace.logOut().value
    _ = await next.marketplace.saved()
    next.marketplace.close()
    let last = try Shop(service: shop.service, user: nil, store: shop.store)
    await last.marketplace.start()
    #expect(last.marketplace.profile == nil)
  }

  /// A session that the service doesn't take any more is forgotten, and the next action logs in.
  @Test func aLostSessionIsForgotten() async throws {
    let shop = try Shop(user: "anna")
    let recorder = Recorder(shop.marketplace)
    try await shop.marketplace.logIn()
    shop.service.books.withLock { $0.sessions = [:] }
    shop.service.cutWatches()
    await recorder.until { events in events.contains(.storefrontChanged(nil)) }
    try await shop.marketplace.logIn()
    #expect(shop.service.calls("CreateSession").count == 2)
  }
}
