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

  static let finishTransaction = Method(
    name: "FinishTransaction"
  ) { fixture, options throws(RPCError) in
    try await refused(.transactionNotFound) { () throws(RPCError) in
      _ = try await fixture.payments.finishTransaction(
        FinishTransactionRequest(transactionID: nobodys), options: options)
    }
  }
  static let listPurchases = Method(name: "ListPurchases") { fixture, options throws(RPCError) in
    _ = try await fixture.payments.listPurchases(ListPurchasesRequest(), options: options)
  }
  static let watchTransactions = Method(
    name: "WatchTransactions"
  ) { fixture, options throws(RPCError) in
    var answers = fixture.payments.watchTransactions(
      WatchTransactionsRequest(), options: options
    ).makeAsyncIterator()
    _ = try await answers.next()
  }
  static let getReceipt = Method(name: "GetReceipt") { fixture, options throws(RPCError) in
    try await refused(.transactionNotFound) { () throws(RPCError) in
      _ = try await fixture.payments.getReceipt(
        GetReceiptRequest(transactionID: nobodys), options: options)
    }
  }
  static let getSignedHistory = Method(
    name: "GetSignedHistory"
  ) { fixture, options throws(RPCError) in
    _ = try await fixture.payments.getSignedHistory(GetSignedHistoryRequest(), options: options)
  }

  // The callers here come with external login, which has no cards: that is found out behind the
  // session.

  static let addCard = Method(name: "AddCard") { fixture, options throws(RPCError) in
    try await refused(.notSupportedForExternalLogin) { () throws(RPCError) in
      _ = try await fixture.payments.addCard(AddCardRequest(), options: options)
    }
  }
  static let listCards = Method(name: "ListCards") { fixture, options throws(RPCError) in
    try await refused(.notSupportedForExternalLogin) { () throws(RPCError) in
      _ = try await fixture.payments.listCards(ListCardsRequest(), options: options)
    }
  }
  static let removeCard = Method(name: "RemoveCard") { fixture, options throws(RPCError) in
    try await refused(.notSupportedForExternalLogin) { () throws(RPCError) in
      _ = try await fixture.payments.removeCard(RemoveCardRequest(), options: options)
    }
  }
  static let setDefaultCard = Method(
    name: "SetDefaultCard"
  ) { fixture, options throws(RPCError) in
    try await refused(.notSupportedForExternalLogin) { () throws(RPCError) in
      _ = try await fixture.payments.setDefaultCard(SetDefaultCardRequest(), options: options)
    }
  }

  private static let nobodys = "00000000-0000-7000-8000-000000000000"

  /// Runs a call that gets as far as this refusal when its caller may make it.
  private static func refused(
    _ reason: RefusalReason, _ call: () async throws(RPCError) -> Void
  ) async throws(RPCError) {
    do throws(RPCError) {
      try await call()
    } catch {
      guard error.refusalReason == reason else { throw error }
      return
    }
    throw RPCError(.internal, "not refused for \(reason)")
  }

  static let needingSession = [
    getProfile, endSession, createPurchase, finishTransaction, listTransactions, listPurchases,
    watchTransactions, getReceipt, getSignedHistory, addCard, listCards, removeCard,
    setDefaultCard,
  ]
  static let all = needingSession + [listProducts]

  /// Those that come without a session, and what they ask for instead is tested elsewhere.
  static let open = [
    "CreateSession", "SendPhoneCode", "BeginStoreLogin", "GetKeySet", "GetAttribution",
    "TrackEvents",
  ]

  @Test("The table covers every method of the services but the open ones")
  func complete() {
    let methods = [
      LoginServiceMethods.descriptor, ProductsServiceMethods.descriptor,
      PaymentsServiceMethods.descriptor, AnalyticsServiceMethods.descriptor,
    ].flatMap(\.methods).map(\.method)
    #expect(Set(methods) == Set(Self.all.map(\.name) + Self.open))
  }

  @Test("The key set is open to anyone, whatever comes with the call")
  func keySet() async throws {
    let fixture = try await MarketplaceFixture()
    for options in [CallOptions(), .with("authorization", "Bearer x")] {
      _ = try await fixture.payments.getKeySet(GetKeySetRequest(), options: options)
    }
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
