import OnsideDomain
import OnsideProto
import OnsideServices
import OnsideStore
import RPC
import Testing

@Suite("Who may call what")
struct AuthorizationTests {
  /// A call of a method, with somebody's options.
  struct Method: Sendable, CustomTestStringConvertible {
    let name: String
    let call: @Sendable (MarketplaceFixture, CallOptions) async throws(RPCError) -> Void

    var testDescription: String { name }
  }

  static let getProfile = Method(name: "GetProfile") { fixture, options throws(RPCError) in
    _ = try await fixture.login.getProfile(GetProfileRequest(), options: options)
  }
  static let endSession = Method(name: "EndSession") { fixture, options throws(RPCError) in
    _ = try await fixture.login.endSession(EndSessionRequest(), options: options)
  }
  static let listProducts = Method(name: "ListProducts") { fixture, options throws(RPCError) in
    _ = try await fixture.products.listProducts(
      ListProductsRequest(productIdentifiers: ["coins"], appID: TestCatalogue.shop),
      options: options)
  }
  static let createPurchase = Method(name: "CreatePurchase") { fixture, options throws(RPCError) in
    _ = try await fixture.payments.createPurchase(PurchaseFixture.request(), options: options)
  }
  static let listTransactions = Method(
    name: "ListTransactions"
  ) { fixture, options throws(RPCError) in
    _ = try await fixture.payments.listTransactions(ListTransactionsRequest(), options: options)
  }

  static let all = [getProfile, endSession, listProducts, createPurchase, listTransactions]
  static let needingSession = [getProfile, endSession, createPurchase, listTransactions]

  @Test("The table covers every method of the services but the open one and those with an owner")
  func complete() {
    let methods = [
      LoginServiceMethods.descriptor, ProductsServiceMethods.descriptor,
      PaymentsServiceMethods.descriptor,
    ].flatMap(\.methods).map(\.method)
    #expect(
      Set(methods) == Set(Self.all.map(\.name) + ["CreateSession", "FinishTransaction"]))
  }

  @Test("Without a session a call that needs one is refused", arguments: needingSession)
  func none(_ method: Method) async throws {
    let fixture = try await MarketplaceFixture()
    let error = try await failure { () throws(RPCError) in
      try await method.call(fixture, CallOptions())
    }
    #expect(error.code == .unauthenticated)
    #expect(error.refusalReason == .sessionMissing)
  }

  @Test("Products are open before login")
  func openProducts() async throws {
    try await Self.listProducts.call(MarketplaceFixture(), CallOptions())
  }

  @Test("The owner's session is taken, in any case of the scheme", arguments: all)
  func owner(_ method: Method) async throws {
    let fixture = try await MarketplaceFixture()
    let token = try await fixture.logIn().sessionToken
    try await method.call(fixture, .session(token))
    let other = try await fixture.logIn("user-2").sessionToken
    try await method.call(fixture, .with("authorization", "bEARER \(other)"))
  }

  @Test("An expired session is refused with that reason", arguments: all)
  func expired(_ method: Method) async throws {
    let fixture = try await MarketplaceFixture { $0.sessionLifetime = .seconds(60) }
    let session = try await fixture.session()
    fixture.clock.advance(by: .milliseconds(59_999))
    try await Self.listTransactions.call(fixture, session)
    fixture.clock.advance(by: .milliseconds(1))
    let error = try await failure { () throws(RPCError) in
      try await method.call(fixture, session)
    }
    #expect(error.code == .unauthenticated)
    #expect(error.refusalReason == .sessionExpired)
  }

  @Test(
    "An ended session is refused with that reason; ending it again changes nothing", arguments: all)
  func ended(_ method: Method) async throws {
    let fixture = try await MarketplaceFixture()
    let session = try await fixture.session()
    let other = try await fixture.session()
    try await Self.endSession.call(fixture, session)
    if method.name == Self.endSession.name {
      try await method.call(fixture, session)
    } else {
      let error = try await failure { () throws(RPCError) in
        try await method.call(fixture, session)
      }
      #expect(error.code == .unauthenticated)
      #expect(error.refusalReason == .sessionEnded)
    }
    // Only this session ended, not the user's others.
    try await method.call(fixture, other)
  }

  @Test(
    "A token with one bit changed, of another service, or none at all is refused", arguments: all)
  func forged(_ method: Method) async throws {
    let fixture = try await MarketplaceFixture()
    let stranger = try await MarketplaceFixture()
    let token = try await fixture.logIn().sessionToken
    var values = [
      "Bearer \(try await stranger.logIn().sessionToken)", "Bearer x", "Bearer \(token)x", token,
      "Basic \(token)", "Bearer ", "",
    ]
    for place in [0, token.utf8.count / 2, token.utf8.count - 1] {
      var bytes = Array(token.utf8)
      bytes[place] = bytes[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      values.append("Bearer \(String(decoding: bytes, as: UTF8.self))")
    }
    for value in values {
      let error = try await failure { () throws(RPCError) in
        try await method.call(fixture, .with("authorization", value))
      }
      #expect(error.code == .unauthenticated)
      #expect(error.refusalReason == .sessionInvalid)
      #expect(!error.message.contains(token.prefix(20)))
    }
    #expect(!fixture.log.lines.contains(token.prefix(20)))
  }

  @Test("A session sees its own profile only")
  func otherUser() async throws {
    let fixture = try await MarketplaceFixture()
    let (one, two) = (try await fixture.logIn("one"), try await fixture.logIn("two"))
    for (session, user) in [(one, "one"), (two, "two")] {
      let profile = try #require(
        try await fixture.login.getProfile(
          GetProfileRequest(), options: .session(session.sessionToken)
        ).profile)
      #expect(profile.profileID == session.profileID)
      #expect(profile.externalUserID == user)
      #expect(profile.kind == .external)
      #expect(profile.appID == TestCatalogue.shop)
      #expect(profile.createdAtMs == fixture.clock.now.milliseconds)
    }
  }

  @Test("After key rotation older sessions work until they expire")
  func rotation() async throws {
    let fixture = try await MarketplaceFixture {
      $0.sessionLifetime = .seconds(7_200)
      $0.tokenKeyLifetime = .seconds(3_600)
    }
    let session = try await fixture.session()
    for _ in 0..<6 {
      fixture.clock.advance(by: .seconds(1_199))
      await fixture.marketplace.maintainSessions()
      try await Self.listTransactions.call(fixture, session)
    }
    let keys = try await fixture.store.tokenKeys()
    #expect(keys.count >= 2)
    fixture.clock.advance(by: .seconds(7))
    let error = try await failure { () throws(RPCError) in
      try await Self.listTransactions.call(fixture, session)
    }
    #expect(error.refusalReason == .sessionExpired)
    // Long after, its key is gone, and with it the knowledge that it was once one of ours.
    fixture.clock.advance(by: .seconds(86_400))
    await fixture.marketplace.maintainSessions()
    let later = try await failure { () throws(RPCError) in
      try await Self.listTransactions.call(fixture, session)
    }
    #expect(later.refusalReason == .sessionInvalid)
    try await Self.listTransactions.call(fixture, try await fixture.session())
  }
}
