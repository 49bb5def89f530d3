import OnsideDomain
import OnsideProto
import OnsideServices
import OnsideStore
import RPC
import Testing

@Suite("Purchases and transactions as calls")
struct TransactionTests {
  private func buy(
    _ fixture: MarketplaceFixture, _ session: CallOptions, key: String = "key-1",
    token: String = "sandbox-paid", account: String? = nil
  ) async throws(RPCError) -> OnsideProto.Transaction {
    var request = PurchaseFixture.request(key: key, token: token)
    request.appAccountToken = account
    let answer = try await fixture.payments.createPurchase(request, options: session)
    guard let transaction = answer.transaction else { throw RPCError(.internal, "no transaction") }
    return transaction
  }

  private func list(
    _ fixture: MarketplaceFixture, _ session: CallOptions, size: Int32 = 0, token: String = "",
    unfinishedOnly: Bool = false
  ) async throws(RPCError) -> ListTransactionsResponse {
    try await fixture.payments.listTransactions(
      ListTransactionsRequest(
        pageSize: size, pageToken: token, unfinishedOnly: unfinishedOnly), options: session)
  }

  private func finish(
    _ fixture: MarketplaceFixture, _ session: CallOptions, _ id: String
  ) async throws(RPCError) -> OnsideProto.Transaction? {
    try await fixture.payments.finishTransaction(
      FinishTransactionRequest(transactionID: id), options: session
    ).transaction
  }

  @Test("A purchase carries everything that was asked for; what the sandbox decided is its state")
  func purchase() async throws {
    let fixture = try await MarketplaceFixture()
    let session = try await fixture.session()
    let transaction = try await buy(fixture, session, account: "account ✓")
    #expect(TransactionID(transaction.transactionID) != nil)
    #expect(transaction.originalTransactionID == transaction.transactionID)
    #expect(transaction.productIdentifier == "coins")
    #expect(transaction.productKind == .consumable)
    #expect(transaction.state == .purchased)
    #expect(transaction.failureReason == .unspecified)
    #expect(
      transaction.price == OnsideProto.Money(minorUnits: 499, currencyCode: "EUR", exponent: 2))
    #expect(transaction.storefront == OnsideProto.Storefront(id: "DE-1", countryCode: "DE"))
    #expect(transaction.createdAtMs == fixture.clock.now.milliseconds)
    #expect(!transaction.finished)
    let failed = try await buy(fixture, session, key: "key-2", token: "sandbox-declined")
    #expect(failed.state == .failed)
    #expect(failed.failureReason == .declined)
    let deferred = try await buy(fixture, session, key: "key-3", token: "sandbox-needs-approval")
    #expect(deferred.state == .deferred)
  }

  @Test(
    "B33: the app account token round-trips as it was given; none isn't the same as empty",
    arguments: [nil, "", "00000000-0000-0000-0000-000000000000", "any text\n\u{0}😀"])
  func appAccountToken(_ token: String?) async throws {
    let fixture = try await MarketplaceFixture()
    let session = try await fixture.session()
    let bought = try await buy(fixture, session, account: token)
    let listed = try await list(fixture, session).transactions.first
    let finished = try await finish(fixture, session, bought.transactionID)
    #expect(bought.appAccountToken == token)
    #expect(listed?.appAccountToken == token)
    #expect(finished?.appAccountToken == token)
  }

  @Test("A processor that is down is UNAVAILABLE; asking again with the same key resolves it")
  func processorDown() async throws {
    let fixture = try await MarketplaceFixture()
    let session = try await fixture.session()
    let error = try await failure { () throws(RPCError) in
      try await buy(fixture, session, token: "sandbox-unavailable-once")
    }
    #expect(error.code == .unavailable)
    #expect(error.refusalReason == .processorUnavailable)
    #expect(error.message.contains("same idempotency key"))
    #expect(try await list(fixture, session).transactions.map(\.state) == [.purchasing])
    let bought = try await buy(fixture, session, token: "sandbox-unavailable-once")
    #expect(bought.state == .purchased)
    #expect(try await list(fixture, session).transactions == [bought])
  }

  @Test("B30: a finished transaction is finished for good; finishing it again is answered alike")
  func finishing() async throws {
    let fixture = try await MarketplaceFixture()
    let session = try await fixture.session()
    let bought = try await buy(fixture, session)
    fixture.clock.advance(by: .seconds(5))
    let finished = try #require(try await finish(fixture, session, bought.transactionID))
    #expect(finished.finished)
    #expect(finished.updatedAtMs == bought.createdAtMs + 5_000)
    fixture.clock.advance(by: .seconds(5))
    #expect(try await finish(fixture, session, bought.transactionID) == finished)
    #expect(try await list(fixture, session, unfinishedOnly: true).transactions == [])
    #expect(try await list(fixture, session).transactions == [finished])
  }

  @Test("B30: only a final state can be finished")
  func notFinal() async throws {
    let fixture = try await MarketplaceFixture()
    let session = try await fixture.session()
    let deferred = try await buy(fixture, session, token: "sandbox-needs-approval")
    let error = try await failure { () throws(RPCError) in
      try await finish(fixture, session, deferred.transactionID)
    }
    #expect(error.code == .failedPrecondition)
    #expect(error.refusalReason == .transactionNotFinal)
    #expect(error.info?.values["state"] == "deferred")
    // Once it is approved, it can be.
    let profile = try #require(
      try await fixture.login.getProfile(GetProfileRequest(), options: session).profile)
    let id = try #require(TransactionID(deferred.transactionID))
    _ = try await fixture.store.recordOutcome(
      .paid, of: id, profileID: #require(ProfileID(profile.profileID)), at: fixture.clock.now)
    #expect(try await finish(fixture, session, deferred.transactionID)?.state == .purchased)
  }

  @Test(
    "B13, B14: another user's transaction is refused like one that never was, and listed to nobody"
  )
  func otherUser() async throws {
    let fixture = try await MarketplaceFixture()
    let (one, two) = (try await fixture.session("one"), try await fixture.session("two"))
    let sameUserElsewhere = try await fixture.session("one", app: TestCatalogue.other)
    let bought = try await buy(fixture, one)
    var messages: Set<String> = []
    for session in [two, sameUserElsewhere] {
      for id in [bought.transactionID, TransactionID.random().description, "nonsense", ""] {
        let error = try await failure { () throws(RPCError) in
          try await finish(fixture, session, id)
        }
        #expect(error.code == .notFound)
        #expect(error.refusalReason == .transactionNotFound)
        messages.insert(error.message.replacing("\"\(id)\"", with: "ID"))
      }
      #expect(try await list(fixture, session).transactions == [])
    }
    #expect(messages.count == 1)
    #expect(try await list(fixture, one).transactions == [bought])
  }

  @Test(
    "Pages follow each other: the unfinished first, oldest first; then the finished, newest first")
  func pages() async throws {
    let fixture = try await MarketplaceFixture()
    let session = try await fixture.session()
    var ids: [String] = []
    for index in 0..<7 {
      fixture.clock.advance(by: .seconds(1))
      ids.append(try await buy(fixture, session, key: "key-\(index)").transactionID)
    }
    for index in [1, 3, 5] { _ = try await finish(fixture, session, ids[index]) }
    let expected = [0, 2, 4, 6, 5, 3, 1].map { ids[$0] }
    for size in [1, 2, 3, 6, 7, 500] as [Int32] {
      var found: [String] = []
      var token = ""
      repeat {
        let page = try await list(fixture, session, size: size, token: token)
        #expect(page.transactions.count <= size)
        found += page.transactions.map(\.transactionID)
        token = page.nextPageToken
      } while !token.isEmpty
      #expect(found == expected)
    }
    let unfinished = try await list(fixture, session, unfinishedOnly: true)
    #expect(unfinished.transactions.map(\.transactionID) == Array(expected.prefix(4)))
  }

  @Test("A page token of another list, and any other text, is refused")
  func badPageTokens() async throws {
    let fixture = try await MarketplaceFixture()
    let (one, two) = (try await fixture.session("one"), try await fixture.session("two"))
    for key in ["a", "b"] { _ = try await buy(fixture, one, key: key) }
    let token = try await list(fixture, one, size: 1).nextPageToken
    #expect(try await list(fixture, one, size: 1, token: token).transactions.count == 1)
    for (session, token, unfinishedOnly) in [
      (two, token, false), (one, token, true), (one, "x", false), (one, token + "0", false),
      (one, String(token.reversed()), false),
    ] {
      let error = try await failure { () throws(RPCError) in
        try await list(
          fixture, session, size: 1, token: token, unfinishedOnly: unfinishedOnly)
      }
      #expect(error.code == .invalidArgument)
      #expect(error.refusalReason == .pageTokenInvalid)
    }
  }

  @Test(
    "A page size outside its bounds is refused with the bounds",
    arguments: [-1, 501, .min] as [Int32])
  func badPageSize(_ size: Int32) async throws {
    let fixture = try await MarketplaceFixture()
    let session = try await fixture.session()
    let error = try await failure { () throws(RPCError) in
      try await list(fixture, session, size: size)
    }
    #expect(error.code == .invalidArgument)
    #expect(error.message.contains("\(size)") && error.message.contains("500"))
  }

  @Test("No refusal and no log line shows a payment token or a session")
  func noSecrets() async throws {
    let fixture = try await MarketplaceFixture()
    let token = try await fixture.logIn().sessionToken
    var texts = ""
    let payments = ["sandbox-unavailable:secret", "live-secret", "sandbox-paid:secret"]
    for (index, payment) in payments.enumerated() {
      do {
        _ = try await buy(fixture, .session(token), key: "key-\(index)", token: payment)
      } catch {
        texts += "\(error) \(error.info?.values ?? [:])"
      }
    }
    #expect(texts.contains("PAYMENT_METHOD_INVALID") || texts.contains("INVALID_ARGUMENT"))
    for text in [texts, fixture.log.lines] {
      #expect(!text.contains("secret"))
      #expect(!text.contains(token))
    }
  }
}
