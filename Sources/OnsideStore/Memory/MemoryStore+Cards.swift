import OnsideDomain

extension MemoryStore {
  public func addCard(
    _ card: CardRecord, limit: Int, options: RequestOptions,
    completion: @escaping StoreCompletion<CardAddition>
  ) {
    write(options, completion) { state in
      let kept = state.cards[card.profileID] ?? []
      if let known = kept.first(where: { $0.token == card.token }) { return .existing(known) }
      guard kept.count < limit else { return .tooMany }
      var card = card
      card.isDefault = kept.isEmpty
      state.cards[card.profileID] = (kept + [card]).sorted {
        ($0.createdAt, $0.id) < ($1.createdAt, $1.id)
      }
      return .added(card)
    }
  }

  public func cards(
    of profileID: ProfileID, options: RequestOptions,
    completion: @escaping StoreCompletion<[CardRecord]>
  ) {
    perform(options, completion) { $0.cards[profileID] ?? [] }
  }

  public func removeCard(
    _ id: CardID, of profileID: ProfileID, options: RequestOptions,
    completion: @escaping StoreCompletion<Void>
  ) {
    write(options, completion) { state in
      var kept = state.cards[profileID] ?? []
      guard let index = kept.firstIndex(where: { $0.id == id }) else { return }
      let removed = kept.remove(at: index)
      if removed.isDefault, !kept.isEmpty { kept[0].isDefault = true }
      state.cards[profileID] = kept
    }
  }

  public func setDefaultCard(
    _ id: CardID, of profileID: ProfileID, options: RequestOptions,
    completion: @escaping StoreCompletion<CardRecord?>
  ) {
    write(options, completion) { state in
      guard let kept = state.cards[profileID], kept.contains(where: { $0.id == id }) else {
        return nil
      }
      let changed = kept.map { card in
        var card = card
        card.isDefault = card.id == id
        return card
      }
      state.cards[profileID] = changed
      return changed.first { $0.id == id }
    }
  }

  public func signingKeys(
    options: RequestOptions, completion: @escaping StoreCompletion<[SigningKeyRecord]>
  ) {
    perform(options, completion) { $0.signingKeys }
  }

  public func addSigningKey(
    _ key: SigningKeyRecord, options: RequestOptions, completion: @escaping StoreCompletion<Bool>
  ) {
    write(options, completion) { state in
      guard !state.signingKeys.contains(where: { $0.number == key.number }) else { return false }
      let others = state.signingKeys.map { other in
        SigningKeyRecord(
          number: other.number, secret: other.number < key.number ? [] : other.secret,
          publicPoint: other.publicPoint, createdAt: other.createdAt)
      }
      state.signingKeys = (others + [key]).sorted { $0.number < $1.number }
      return true
    }
  }
}
