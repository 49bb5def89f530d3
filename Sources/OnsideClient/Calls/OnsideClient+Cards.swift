import OnsideProto
import RPC

extension OnsideClient {
  /// The profile's cards, oldest first. Regular profiles only.
  ///
  /// - Throws: `refused` with `notSupportedForExternalLogin`.
  public func cards() async throws(OnsideError) -> [CardRecord] {
    let response = try await asUser { [payments] options throws(RPCError) in
      try await payments.listCards(ListCardsRequest(), options: options)
    }
    var cards: [CardRecord] = []
    for card in response.cards { cards.append(try CardRecord(card)) }
    return cards
  }

  /// Keeps a card for the profile. A card that is kept already is answered with what is kept.
  ///
  /// - Throws: `refused` with `cardInvalid`, `tooManyCards` or `notSupportedForExternalLogin`.
  @discardableResult
  public func addCard(_ card: CardEntry) async throws(OnsideError) -> CardRecord {
    let request = AddCardRequest(
      number: card.number, expiryMonth: Int32(clamping: card.expiryMonth),
      expiryYear: Int32(clamping: card.expiryYear), securityCode: card.securityCode)
    let response = try await asUser { [payments] options throws(RPCError) in
      try await payments.addCard(request, options: options)
    }
    return try CardRecord(response.card)
  }

  /// Forgets a card. If it was the default, the oldest of the others becomes it.
  ///
  /// - Throws: `refused` with `cardNotFound`.
  public func removeCard(id: String) async throws(OnsideError) {
    _ = try await asUser { [payments] options throws(RPCError) in
      try await payments.removeCard(RemoveCardRequest(cardID: id), options: options)
    }
  }

  /// Makes a card the one that is charged unless another is chosen.
  ///
  /// - Throws: `refused` with `cardNotFound`.
  @discardableResult
  public func setDefaultCard(id: String) async throws(OnsideError) -> CardRecord {
    let response = try await asUser { [payments] options throws(RPCError) in
      try await payments.setDefaultCard(SetDefaultCardRequest(cardID: id), options: options)
    }
    return try CardRecord(response.card)
  }
}
