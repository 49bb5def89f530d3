import OnsideDomain
import OnsideProto
import OnsideServices
import OnsideStore
import RPC
import Testing

@Suite("Saved cards as calls")
struct CardTests {
  private func add(
    _ fixture: MarketplaceFixture, _ session: CallOptions, _ number: String = "4242424242424242",
    month: Int32 = 12, year: Int32 = 2040, code: String = "123"
  ) async throws(RPCError) -> Card {
    let answer = try await fixture.payments.addCard(
      AddCardRequest(
        number: number, expiryMonth: month, expiryYear: year, securityCode: code),
      options: session)
    guard let card = answer.card else { throw RPCError(.internal, "no card") }
    return card
  }

  private func list(
    _ fixture: MarketplaceFixture, _ session: CallOptions
  ) async throws(RPCError) -> [Card] {
    try await fixture.payments.listCards(ListCardsRequest(), options: session).cards
  }

  private func buy(
    _ fixture: MarketplaceFixture, _ session: CallOptions, with card: String, key: String = "key-1"
  ) async throws(RPCError) -> CreatePurchaseResponse {
    var request = PurchaseFixture.request(key: key)
    request.paymentMethod = .savedCardID(card)
    return try await fixture.payments.createPurchase(request, options: session)
  }

  private func remove(
    _ fixture: MarketplaceFixture, _ session: CallOptions, _ card: String
  ) async throws(RPCError) {
    _ = try await fixture.payments.removeCard(RemoveCardRequest(cardID: card), options: session)
  }

  @Test("Cards are kept with what may be shown; the first is the default")
  func keeps() async throws {
    let fixture = try await MarketplaceFixture()
    let session = try await fixture.regularSession()
    let visa = try await add(fixture, session, "4242 4242 4242 4242")
    #expect(visa.brand == "Visa" && visa.lastFour == "4242" && visa.isDefault)
    #expect(visa.expiryMonth == 12 && visa.expiryYear == 2040)
    #expect(visa.cardID.utf8.count <= 64)
    fixture.clock.advance(by: .seconds(1))
    let amex = try await add(fixture, session, "378282246310005", code: "1234")
    #expect(amex.brand == "American Express" && !amex.isDefault)
    #expect(try await add(fixture, session, "4242424242424242") == visa)
    #expect(try await list(fixture, session) == [visa, amex])
    let chosen = try await fixture.payments.setDefaultCard(
      SetDefaultCardRequest(cardID: amex.cardID), options: session)
    #expect(chosen.card?.isDefault == true && chosen.card?.cardID == amex.cardID)
    #expect(try await list(fixture, session).map(\.isDefault) == [false, true])
    for _ in 0..<2 { try await remove(fixture, session, amex.cardID) }
    #expect(try await list(fixture, session) == [visa])
    // Another user's cards are nobody's.
    #expect(try await list(fixture, try await fixture.regularSession()) == [])
  }

  @Test(
    "What can't be a card is refused with its field, and without its number",
    arguments: [
      ("4242424242424241", Int32(12), Int32(2040), "123", "number"),
      ("4242-4242-4242-4242", 12, 2040, "123", "number"), ("42", 12, 2040, "123", "number"),
      ("4242424242424242", 13, 2040, "123", "expiry_month"),
      ("4242424242424242", 1, 2001, "123", "expiry_year"),
      ("4242424242424242", 12, 2040, "98765", "security_code"),
      // A real number has no business here.
      ("4539578763621486", 12, 2040, "123", "number"),
    ])
  func refuses(
    number: String, month: Int32, year: Int32, code: String, field: String
  ) async throws {
    let fixture = try await MarketplaceFixture()
    let session = try await fixture.regularSession()
    let error = try await failure { () throws(RPCError) in
      try await add(fixture, session, number, month: month, year: year, code: code)
    }
    #expect(error.code == .invalidArgument)
    #expect(error.refusalReason == .cardInvalid)
    #expect(error.info?.values["field"] == field)
    let texts = "\(error) \(error.info?.values ?? [:]) \(fixture.log.lines)"
    #expect(!texts.contains(number) || number == "42")
    #expect(!texts.contains("98765"))
    #expect(try await list(fixture, session) == [])
  }

  @Test("A processor that is down keeps no card")
  func processorDown() async throws {
    let fixture = try await MarketplaceFixture()
    let session = try await fixture.regularSession()
    let error = try await failure { () throws(RPCError) in
      try await add(fixture, session, "4000000000009995")
    }
    #expect(error.code == .unavailable)
    #expect(error.refusalReason == .processorUnavailable)
    #expect(try await list(fixture, session) == [])
  }

  @Test("There are at most 20 cards, and those that are kept are still answered")
  func limit() async throws {
    let fixture = try await MarketplaceFixture()
    let session = try await fixture.regularSession()
    for year in 0..<20 { _ = try await add(fixture, session, year: 2030 + Int32(year)) }
    let error = try await failure { () throws(RPCError) in
      try await add(fixture, session, year: 2052)
    }
    #expect(error.code == .resourceExhausted)
    #expect(error.refusalReason == .tooManyCards)
    #expect(error.message.contains("20"))
    #expect(try await add(fixture, session, year: 2030).expiryYear == 2030)
    #expect(try await list(fixture, session).count == 20)
  }

  @Test("A profile with external login keeps no cards, and buys with none")
  func external() async throws {
    let fixture = try await MarketplaceFixture()
    let session = try await fixture.session()
    for error in [
      try await failure { () throws(RPCError) in _ = try await add(fixture, session) },
      try await failure { () throws(RPCError) in _ = try await list(fixture, session) },
      try await failure { () throws(RPCError) in try await remove(fixture, session, "x") },
      try await failure { () throws(RPCError) in
        _ = try await fixture.payments.setDefaultCard(
          SetDefaultCardRequest(cardID: "x"), options: session)
      },
    ] {
      #expect(error.code == .failedPrecondition)
      #expect(error.refusalReason == .notSupportedForExternalLogin)
    }
    let error = try await failure { () throws(RPCError) in
      try await buy(fixture, session, with: "x")
    }
    #expect(error.refusalReason == .applePayRequired)
  }

  @Test(
    "Each of the sandbox's numbers comes out as the list says",
    arguments: [
      ("4242424242424242", TransactionState.purchased), ("4111111111111111", .purchased),
      ("5555555555554444", .purchased), ("5105105105105100", .purchased),
      ("2223003122003222", .purchased), ("378282246310005", .purchased),
      ("371449635398431", .purchased), ("6011111111111117", .purchased),
      ("4000000000000002", .failed), ("4000000000003220", .failed),
      ("4000002500003155", .deferred),
    ])
  func outcomes(number: String, state: TransactionState) async throws {
    let fixture = try await MarketplaceFixture()
    let session = try await fixture.regularSession()
    let code = number.hasPrefix("37") ? "1234" : "123"
    let card = try await add(fixture, session, number, code: code)
    let bought = try #require(try await buy(fixture, session, with: card.cardID).transaction)
    #expect(bought.state == state)
    let isCancelled = number.hasSuffix("3220")
    #expect(
      bought.failureReason
        == (state != .failed ? .unspecified : isCancelled ? .cancelled : .declined))
  }

  @Test(
    "A processor that is down when it charges a card gives no outcome; then it does",
    arguments: ["4000000000000341", "4000000000009987"])
  func chargesLater(number: String) async throws {
    let processor = SandboxProcessor()
    let fixture = try await MarketplaceFixture { $0.processor = processor }
    let session = try await fixture.regularSession()
    let card = try await add(fixture, session, number)
    let error = try await failure { () throws(RPCError) in
      try await buy(fixture, session, with: card.cardID)
    }
    #expect(error.refusalReason == .processorUnavailable)
    // The card is forgotten meanwhile: the purchase goes on with what was begun.
    try await remove(fixture, session, card.cardID)
    let again = try await buy(fixture, session, with: card.cardID)
    #expect(again.transaction?.state == .purchased && again.replayed)
    #expect(processor.counters.charges == 1)
    #expect(try await buy(fixture, session, with: card.cardID) == again)
  }

  @Test("The duty resolves what was begun with a card that always fails, with the same token")
  func resolves() async throws {
    let fixture = try await MarketplaceFixture()
    let session = try await fixture.regularSession()
    let card = try await add(fixture, session, "4000000000000341")
    _ = try await failure { () throws(RPCError) in
      try await buy(fixture, session, with: card.cardID)
    }
    fixture.clock.advance(by: .seconds(120))
    await fixture.marketplace.resolveLeftPurchases()
    #expect(
      try await buy(fixture, session, with: card.cardID).transaction?.state == .purchased)
  }

  @Test("The idempotency key is bound to the card")
  func fingerprint() async throws {
    let fixture = try await MarketplaceFixture()
    let session = try await fixture.regularSession()
    let one = try await add(fixture, session)
    let two = try await add(fixture, session, "5555555555554444")
    _ = try await buy(fixture, session, with: one.cardID)
    let error = try await failure { () throws(RPCError) in
      try await buy(fixture, session, with: two.cardID)
    }
    #expect(error.refusalReason == .idempotencyKeyReused)
  }

  @Test("A card that the profile doesn't keep is refused, also another's")
  func notFound() async throws {
    let fixture = try await MarketplaceFixture()
    let (one, two) = (try await fixture.regularSession(), try await fixture.regularSession())
    let card = try await add(fixture, one).cardID
    for id in [card, CardID.random().description, "nonsense", ""] {
      let bought = try await failure { () throws(RPCError) in
        try await buy(fixture, two, with: id)
      }
      let chosen = try await failure { () throws(RPCError) in
        try await fixture.payments.setDefaultCard(
          SetDefaultCardRequest(cardID: id), options: two)
      }
      for error in [bought, chosen] {
        #expect(error.code == .notFound)
        #expect(error.refusalReason == .cardNotFound)
      }
      try await remove(fixture, two, id)
    }
    #expect(try await list(fixture, one).map(\.cardID) == [card])
  }

  @Test("Neither the log nor the store's file has a card's number or code")
  func secrecy() async throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/store.sqlite"
    let store = try SQLiteStore(path: path)
    let fixture = try await MarketplaceFixture(store: store)
    let session = try await fixture.regularSession()
    let number = "5105105105105100"
    let card = try await add(fixture, session, number, code: "739")
    _ = try await buy(fixture, session, with: card.cardID)
    await store.close()
    for name in ["store.sqlite", "store.sqlite-wal"] {
      let bytes = (try? WholeBytes.of("\(folder.path)/\(name)")) ?? []
      #expect(!bytes.contains(Array(number.utf8)))
    }
    #expect(try WholeBytes.of(path).contains(Array("sandbox-paid:card-5100".utf8)))
    #expect(!fixture.log.lines.contains(number))
  }
}
