import OnsideDomain
import OnsideProto
import OnsideServices
import OnsideStore
import RPC
import Testing

@Suite("Restoring purchases, and receipts")
struct ReceiptTests {
  private func buy(
    _ fixture: MarketplaceFixture, _ session: CallOptions, _ product: String = "coins",
    cents: Int64 = 499, key: String = "key-1", account: String? = nil,
    payment: CreatePurchaseRequest.PaymentMethod = .applePayToken("sandbox-paid")
  ) async throws(RPCError) -> OnsideProto.Transaction {
    var request = PurchaseFixture.request(product, key: key, cents: cents)
    request.paymentMethod = payment
    request.appAccountToken = account
    let answer = try await fixture.payments.createPurchase(request, options: session)
    guard let transaction = answer.transaction else { throw RPCError(.internal, "no transaction") }
    return transaction
  }

  private func receipt(
    _ fixture: MarketplaceFixture, _ session: CallOptions, _ id: String
  ) async throws(RPCError) -> Receipt? {
    try await fixture.payments.getReceipt(
      GetReceiptRequest(transactionID: id), options: session
    ).receipt
  }

  private func owned(
    _ fixture: MarketplaceFixture, _ session: CallOptions, size: Int32 = 0, token: String = ""
  ) async throws(RPCError) -> ListPurchasesResponse {
    try await fixture.payments.listPurchases(
      ListPurchasesRequest(pageSize: size, pageToken: token), options: session)
  }

  @Test(
    "B25: what is owned is refused with its transaction, and can be restored from the list",
    arguments: [nil, "", "account ✓"])
  func restores(_ account: String?) async throws {
    let fixture = try await MarketplaceFixture()
    let session = try await fixture.regularSession()
    let bought = try await buy(fixture, session, "no-ads", cents: 299, account: account)
    let error = try await failure { () throws(RPCError) in
      try await buy(fixture, session, "no-ads", cents: 299, key: "key-2")
    }
    #expect(error.refusalReason == .alreadyOwned)
    #expect(error.info?.values["transaction_id"] == bought.transactionID)
    let restored = try await owned(fixture, session).transactions
    #expect(restored == [bought])
    // B33: the account token too.
    #expect(restored.first?.appAccountToken == account)
  }

  @Test("Consumables aren't restored; non-consumables and subscriptions are, page by page")
  func lists() async throws {
    let fixture = try await MarketplaceFixture()
    let session = try await fixture.regularSession()
    _ = try await buy(fixture, session)
    fixture.clock.advance(by: .seconds(1))
    let club = try await buy(fixture, session, "club", cents: 199, key: "key-2")
    fixture.clock.advance(by: .seconds(1))
    let noAds = try await buy(fixture, session, "no-ads", cents: 299, key: "key-3")
    let first = try await owned(fixture, session, size: 1)
    #expect(first.transactions == [club] && !first.nextPageToken.isEmpty)
    let second = try await owned(fixture, session, size: 1, token: first.nextPageToken)
    #expect(second.transactions == [noAds] && second.nextPageToken.isEmpty)
    #expect(try await owned(fixture, session).transactions == [club, noAds])
    #expect(try await owned(fixture, try await fixture.session()).transactions == [])
    for (size, token) in [(1, "x"), (1, first.nextPageToken + "0")] as [(Int32, String)] {
      let error = try await failure { () throws(RPCError) in
        try await owned(fixture, session, size: size, token: token)
      }
      #expect(error.refusalReason == .pageTokenInvalid)
    }
    let error = try await failure { () throws(RPCError) in
      try await owned(fixture, session, size: 501)
    }
    #expect(error.code == .invalidArgument)
  }

  @Test("A receipt says what was bought, where, and how it was paid")
  func receipts() async throws {
    let fixture = try await MarketplaceFixture()
    let session = try await fixture.regularSession()
    let card = try await fixture.payments.addCard(
      AddCardRequest(
        number: "5555555555554444", expiryMonth: 1, expiryYear: 2040, securityCode: "123"),
      options: session
    ).card
    let id = try #require(card).cardID
    for (key, payment, text) in [
      ("a", .applePayToken("sandbox-paid"), "Apple Pay"), ("b", .cardToken("sandbox-paid"), "Card"),
      ("c", .savedCardID(id), "Mastercard 4444"),
    ] as [(String, CreatePurchaseRequest.PaymentMethod, String)] {
      let bought = try await buy(
        fixture, session, key: key, account: "account \(key)", payment: payment)
      let receipt = try #require(try await receipt(fixture, session, bought.transactionID))
      #expect(receipt.number == bought.transactionID)
      #expect(receipt.appName == "Shop")
      #expect(receipt.productTitle == "Coins")
      #expect(receipt.transaction == bought)
      #expect(receipt.transaction?.appAccountToken == "account \(key)")
      #expect(receipt.paymentMethod == text)
    }
  }

  @Test("A product that isn't sold any more is named by its identifier")
  func withoutProduct() async throws {
    let fixture = try await MarketplaceFixture()
    let session = try await fixture.session()
    let bought = try await buy(fixture, session)
    fixture.marketplace.replaceCatalogue(
      with: try TestCatalogue.snapshot(
        TestCatalogue.text.replacing("\"id\":\"coins\"", with: "\"id\":\"shells\""),
        in: try TemporaryFolder()))
    let receipt = try await receipt(fixture, session, bought.transactionID)
    #expect(receipt?.productTitle == "coins")
  }

  @Test("There are no receipts of what isn't purchased, or of another's purchase")
  func refusals() async throws {
    let fixture = try await MarketplaceFixture()
    let session = try await fixture.session()
    for (key, token) in [("a", "sandbox-declined"), ("b", "sandbox-needs-approval")] {
      let bought = try await buy(fixture, session, key: key, payment: .applePayToken(token))
      let error = try await failure { () throws(RPCError) in
        try await receipt(fixture, session, bought.transactionID)
      }
      #expect(error.code == .failedPrecondition)
      #expect(error.refusalReason == .transactionNotFinal)
    }
    let bought = try await buy(fixture, session, key: "c")
    let stranger = try await fixture.session("user-2")
    for id in [bought.transactionID, TransactionID.random().description, "nonsense", ""] {
      let error = try await failure { () throws(RPCError) in
        try await receipt(fixture, stranger, id)
      }
      #expect(error.code == .notFound)
      #expect(error.refusalReason == .transactionNotFound)
    }
  }
}
