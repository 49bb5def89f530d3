import OnsideDomain
import OnsideProto
import OnsideStore
import RPC

extension PaymentsHandlers {
  func addCard(
    _ request: AddCardRequest, context: ServerContext
  ) async throws -> AddCardResponse {
    let session = try Self.cardOwner(context)
    let card = try details(request)
    let token = try await keep(card)
    let now = flow.clock.wall()
    let record = CardRecord(
      id: .timeOrdered(at: now), profileID: session.profileID, label: card.label,
      expiry: card.expiry, token: token, createdAt: now)
    let addition = try await stored { () async throws(StoreError) in
      try await flow.store.addCard(record, options: context.storeOptions)
    }
    switch addition {
    case .added(let card), .existing(let card): return AddCardResponse(card: card.message)
    case .tooMany:
      throw RPCError(
        .tooManyCards,
        "the profile keeps \(CardRules.maximumCards) cards, which is the most; remove one first",
        ["limit": String(CardRules.maximumCards)])
    }
  }

  func listCards(
    _ request: ListCardsRequest, context: ServerContext
  ) async throws -> ListCardsResponse {
    let session = try Self.cardOwner(context)
    let cards = try await stored { () async throws(StoreError) in
      try await flow.store.cards(of: session.profileID, options: context.storeOptions)
    }
    return ListCardsResponse(cards: cards.map(\.message))
  }

  func removeCard(
    _ request: RemoveCardRequest, context: ServerContext
  ) async throws -> RemoveCardResponse {
    let session = try Self.cardOwner(context)
    // A card that isn't there was removed before, as far as a retry can know.
    guard let id = CardID(request.cardID) else { return RemoveCardResponse() }
    try await stored { () async throws(StoreError) in
      try await flow.store.removeCard(id, of: session.profileID, options: context.storeOptions)
    }
    return RemoveCardResponse()
  }

  func setDefaultCard(
    _ request: SetDefaultCardRequest, context: ServerContext
  ) async throws -> SetDefaultCardResponse {
    let session = try Self.cardOwner(context)
    guard let id = CardID(request.cardID) else { throw RPCError(noCard: request.cardID) }
    let card = try await stored { () async throws(StoreError) in
      try await flow.store.setDefaultCard(
        id, of: session.profileID, options: context.storeOptions)
    }
    guard let card else { throw RPCError(noCard: request.cardID) }
    return SetDefaultCardResponse(card: card.message)
  }

  /// The session, if its profile may keep cards.
  private static func cardOwner(_ context: ServerContext) throws(RPCError) -> Session {
    let session = try context.session
    if let reason = CardRules.refusal(for: session.kind) {
      throw RPCError(
        reason, "a profile with external login keeps no cards; that needs a regular login")
    }
    return session
  }

  private func details(_ request: AddCardRequest) throws(RPCError) -> CardDetails {
    do throws(CardProblem) {
      return try CardDetails(
        number: request.number, expiryMonth: Int(request.expiryMonth),
        expiryYear: Int(request.expiryYear), securityCode: request.securityCode,
        now: flow.clock.wall())
    } catch {
      throw RPCError(.cardInvalid, error.description, ["field": error.field])
    }
  }

  /// Gives the card to the processor, and takes its token.
  private func keep(_ card: CardDetails) async throws(RPCError) -> String {
    do throws(ProcessorError) {
      return try await flow.processor.keepCard(card)
    } catch {
      guard error.code == .cardRefused else {
        throw RPCError(
          .processorUnavailable,
          "the payment processor didn't answer; add the card again in a moment", cause: error)
      }
      throw RPCError(.cardInvalid, error.message, ["field": "number"])
    }
  }
}

extension RPCError {
  /// Refuses a card that the profile doesn't keep.
  init(noCard id: String) {
    self.init(
      .cardNotFound,
      "this profile keeps no card \(Escaping.quoted(id)); ListCards answers which it does")
  }
}

extension CardRecord {
  /// The card as calls answer it.
  var message: Card {
    Card(
      cardID: id.description, brand: label.brand.name, lastFour: label.lastFour,
      expiryMonth: Int32(expiry.month), expiryYear: Int32(expiry.year), isDefault: isDefault)
  }
}
