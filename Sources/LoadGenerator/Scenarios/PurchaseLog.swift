/// What a sample of users has bought, for comparison with what the service lists afterwards.
struct PurchaseLog: Sendable, Equatable {
  /// Users with smaller numbers are looked at.
  static let users: UInt64 = 32

  /// Of one user.
  struct Purchases: Sendable, Equatable {
    /// Transactions that the service has acknowledged.
    var acknowledged: [String] = []

    /// References of purchases whose outcome isn't known: the service may have them or not.
    var unknown: Set<String> = []
  }

  private(set) var purchases: [UInt64: Purchases] = [:]

  /// Whether a user is in the sample.
  static func covers(_ user: UInt64) -> Bool { user < users }

  mutating func acknowledged(_ transaction: String, of user: UInt64) {
    guard Self.covers(user) else { return }
    purchases[user, default: Purchases()].acknowledged.append(transaction)
  }

  mutating func unknown(_ reference: String, of user: UInt64) {
    guard Self.covers(user) else { return }
    purchases[user, default: Purchases()].unknown.insert(reference)
  }

  mutating func merge(_ other: PurchaseLog) {
    for (user, more) in other.purchases {
      purchases[user, default: Purchases()].acknowledged += more.acknowledged
      purchases[user, default: Purchases()].unknown.formUnion(more.unknown)
    }
  }
}

extension PurchaseLog.Purchases {
  /// What is wrong with the service's list; nil: nothing.
  ///
  /// - Parameters:
  ///   - listed: identifier and reference of each transaction of the user that has a reference of
  ///     this load.
  func problem(_ listed: [(id: String, reference: String)]) -> String? {
    var counts: [String: Int] = [:]
    for transaction in listed { counts[transaction.id, default: 0] += 1 }
    for id in acknowledged {
      let count = counts[id] ?? 0
      if count == 0 { return "the transaction \(id) was acknowledged and isn't listed" }
      if count > 1 { return "the transaction \(id) is listed \(count) times" }
    }
    let known = Set(acknowledged)
    for transaction in listed
    where !known.contains(transaction.id) && !unknown.contains(transaction.reference) {
      return "the transaction \(transaction.id) is listed and nobody bought it "
        + "(is another run using this seed?)"
    }
    return nil
  }
}
