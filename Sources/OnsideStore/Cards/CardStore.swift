import OnsideDomain

/// The cards that profiles keep.
public protocol CardStore: Sendable {
  /// Stores a card unless the profile has one with the same token, or `limit` others. The first is
  /// the default.
  func addCard(
    _ card: CardRecord, limit: Int, options: RequestOptions,
    completion: @escaping StoreCompletion<CardAddition>)

  /// A profile's cards, oldest first.
  func cards(
    of profileID: ProfileID, options: RequestOptions,
    completion: @escaping StoreCompletion<[CardRecord]>)

  /// Forgets a card; the oldest of the others becomes the default if it was. Nothing happens if it
  /// isn't there.
  func removeCard(
    _ id: CardID, of profileID: ProfileID, options: RequestOptions,
    completion: @escaping StoreCompletion<Void>)

  /// Makes a card the default; nil: the profile hasn't it.
  func setDefaultCard(
    _ id: CardID, of profileID: ProfileID, options: RequestOptions,
    completion: @escaping StoreCompletion<CardRecord?>)
}

extension Store {
  /// Stores a card unless the profile has it, or `limit` others.
  public func addCard(
    _ card: CardRecord, limit: Int = CardRules.maximumCards,
    options: RequestOptions = RequestOptions()
  ) async throws(StoreError) -> CardAddition {
    try await answer { addCard(card, limit: limit, options: options, completion: $0) }
  }

  /// A profile's cards, oldest first.
  public func cards(
    of profileID: ProfileID, options: RequestOptions = RequestOptions()
  ) async throws(StoreError) -> [CardRecord] {
    try await answer { cards(of: profileID, options: options, completion: $0) }
  }

  /// Forgets a card.
  public func removeCard(
    _ id: CardID, of profileID: ProfileID, options: RequestOptions = RequestOptions()
  ) async throws(StoreError) {
    try await answer { removeCard(id, of: profileID, options: options, completion: $0) }
  }

  /// Makes a card the default; nil: the profile hasn't it.
  public func setDefaultCard(
    _ id: CardID, of profileID: ProfileID, options: RequestOptions = RequestOptions()
  ) async throws(StoreError) -> CardRecord? {
    try await answer { setDefaultCard(id, of: profileID, options: options, completion: $0) }
  }
}
