import OnsideDomain

/// Purchases with the keys that make them unique.
struct PurchaseTable {
  /// One app of one profile: the scope of keys, ownership and lists.
  struct Scope: Hashable {
    let profileID: ProfileID
    let app: ByteKey
  }

  private struct ScopedKey: Hashable {
    let scope: Scope
    let key: ByteKey
  }

  private struct Purchase {
    var transaction: TransactionRecord
    let fingerprint: [UInt8]
    let isExclusive: Bool

    /// With the payment token; nil once the outcome is final.
    var intent: PurchaseIntent?
  }

  private struct TransactionKey: Hashable {
    let profileID: ProfileID
    let id: TransactionID
  }

  private var purchases: [TransactionKey: Purchase] = [:]
  private var byScope: [Scope: [TransactionKey]] = [:]
  private var byIdempotencyKey: [ScopedKey: TransactionKey] = [:]
  private var owned: [ScopedKey: TransactionKey] = [:]
  private var unresolved: Set<TransactionKey> = []
  private var deferred: [TransactionKey] = []

  /// Written together with what they tell of.
  var events = ProfileEventLog()

  mutating func begin(_ intent: PurchaseIntent) throws(StoreError) -> PurchaseBeginning {
    let scope = Scope(profileID: intent.profileID, app: ByteKey(intent.appID))
    let scopedKey = ScopedKey(scope: scope, key: ByteKey(intent.idempotencyKey))
    let product = ScopedKey(scope: scope, key: ByteKey(intent.productIdentifier))
    if let earlier = find(intent.key) { return earlier }
    if intent.isExclusive, let earlier = owned[product].flatMap({ purchases[$0] }) {
      return .alreadyOwned(earlier.transaction)
    }
    let key = TransactionKey(profileID: intent.profileID, id: intent.transactionID)
    guard purchases[key] == nil else { throw .transactionIDTaken(intent.transactionID) }
    let transaction = intent.transaction
    purchases[key] = Purchase(
      transaction: transaction, fingerprint: intent.fingerprint, isExclusive: intent.isExclusive,
      intent: intent)
    byScope[scope, default: []].append(key)
    byIdempotencyKey[scopedKey] = key
    if intent.isExclusive { owned[product] = key }
    unresolved.insert(key)
    events.append(transaction)
    return .new(transaction)
  }

  /// What a request with this key is told; nil: the key is new.
  func find(_ key: PurchaseKey) -> PurchaseBeginning? {
    let scope = Scope(profileID: key.profileID, app: ByteKey(key.appID))
    let scopedKey = ScopedKey(scope: scope, key: ByteKey(key.idempotencyKey))
    return byIdempotencyKey[scopedKey].flatMap { purchases[$0] }.map { earlier in
      PurchaseBeginning(
        repeating: earlier.transaction, isSame: earlier.fingerprint == key.fingerprint)
    }
  }

  mutating func record(
    _ outcome: PaymentOutcome, of id: TransactionID, profileID: ProfileID, at time: Timestamp
  ) -> OutcomeRecording {
    let key = TransactionKey(profileID: profileID, id: id)
    guard var purchase = purchases[key] else { return .notFound }
    switch purchase.transaction.lifecycle.apply(outcome) {
    case .unchanged: return .unchanged(purchase.transaction)
    case .refused: return .refused(purchase.transaction)
    case .changed(from: _, to: let state):
      purchase.transaction.updatedAt = time
      if state.isFinal { purchase.intent = nil }
      purchases[key] = purchase
      unresolved.remove(key)
      if state == .deferred { deferred.append(key) }
      events.append(purchase.transaction)
      if state == .failed, purchase.isExclusive {
        let scope = Scope(profileID: profileID, app: ByteKey(purchase.transaction.appID))
        let product = ByteKey(purchase.transaction.productIdentifier)
        owned[ScopedKey(scope: scope, key: product)] = nil
      }
      return .recorded(purchase.transaction)
    }
  }

  func unresolved(after position: PurchasePosition?, limit: Int) -> [PurchaseIntent] {
    let intents = unresolved.compactMap { purchases[$0]?.intent }
    let later = intents.filter { intent in position.map { intent.position > $0 } ?? true }
    return Array(later.sorted { $0.position < $1.position }.prefix(max(limit, 0)))
  }

  mutating func purgeKeys(createdBefore time: Timestamp, limit: Int) -> Int {
    let purchases = purchases
    let expired = byIdempotencyKey.lazy.filter { entry in
      guard let transaction = purchases[entry.value]?.transaction else { return false }
      return transaction.createdAt < time && transaction.lifecycle.state != .purchasing
    }
    let keys = expired.prefix(max(limit, 0)).map(\.key)
    for key in keys { byIdempotencyKey[key] = nil }
    return keys.count
  }

  func find(_ id: TransactionID, in scope: Scope) -> TransactionRecord? {
    guard let found = purchases[TransactionKey(profileID: scope.profileID, id: id)]?.transaction,
      ByteKey(found.appID) == scope.app
    else { return nil }
    return found
  }

  mutating func finish(_ id: TransactionID, in scope: Scope, at time: Timestamp) -> FinishResult {
    guard var transaction = find(id, in: scope) else { return .notFound }
    switch transaction.lifecycle.finish() {
    case .refused: return .notFinal(transaction)
    case .alreadyFinished: return .finished(transaction)
    case .finished:
      transaction.updatedAt = time
      purchases[TransactionKey(profileID: scope.profileID, id: id)]?.transaction = transaction
      events.append(transaction)
      return .finished(transaction)
    }
  }

  /// Transactions that are deferred or once were.
  var everDeferred: [TransactionRecord] { deferred.compactMap { purchases[$0]?.transaction } }

  func owned(_ query: OwnedQuery) -> TransactionPage {
    let scope = Scope(profileID: query.profileID, app: ByteKey(query.appID))
    let kept = transactions(in: scope).filter {
      $0.lifecycle.state == .purchased && $0.productKind != .consumable
    }
    var last: [ByteKey: TransactionRecord] = [:]
    for transaction in kept {
      let key = ByteKey(transaction.productIdentifier)
      let known = last[key] ?? transaction
      let isOlder = (transaction.createdAt, transaction.id) < (known.createdAt, known.id)
      last[key] = isOlder ? known : transaction
    }
    let sorted = last.values.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    let rest = sorted.drop { transaction in
      guard let after = query.after else { return false }
      return (transaction.createdAt, transaction.id) <= (after.createdAt, after.id)
    }
    let page = rest.prefix(query.limit)
    return TransactionPage(
      transactions: Array(page),
      next: rest.count > page.count ? page.last.map(TransactionCursor.init(after:)) : nil)
  }

  func bought(_ query: BoughtQuery) -> [TransactionRecord] {
    let app = query.appID.map(ByteKey.init)
    let scopes = byScope.keys.filter {
      $0.profileID == query.profileID && (app == nil || $0.app == app)
    }
    let bought = scopes.flatMap(transactions(in:)).filter { $0.lifecycle.state == .purchased }
    let sorted = bought.sorted { ($1.createdAt, $1.id) < ($0.createdAt, $0.id) }
    return Array(sorted.prefix(query.limit))
  }

  private func transactions(in scope: Scope) -> [TransactionRecord] {
    (byScope[scope] ?? []).compactMap { purchases[$0]?.transaction }
  }

  func list(_ query: TransactionQuery) -> TransactionPage {
    let scope = Scope(profileID: query.profileID, app: ByteKey(query.appID))
    let all = transactions(in: scope)
    let wanted = query.unfinishedOnly ? all.filter { !$0.lifecycle.isFinished } : all
    let sorted = wanted.sorted {
      TransactionCursor(after: $0).precedes(TransactionCursor(after: $1))
    }
    let rest = sorted.drop { transaction in
      guard let after = query.after else { return false }
      return !after.precedes(TransactionCursor(after: transaction))
    }
    let page = rest.prefix(query.limit)
    return TransactionPage(
      transactions: Array(page),
      next: rest.count > page.count ? page.last.map(TransactionCursor.init(after:)) : nil)
  }
}

extension PurchaseBeginning {
  /// What a request with a known key is told.
  init(repeating earlier: TransactionRecord, isSame: Bool) {
    self =
      if !isSame {
        .conflict(earlier)
      } else if earlier.lifecycle.state == .purchasing {
        .inProgress(earlier)
      } else {
        .existing(earlier)
      }
  }
}

extension TransactionCursor {
  /// Whether this place comes before another in a list.
  fileprivate func precedes(_ other: TransactionCursor) -> Bool {
    if isFinished != other.isFinished { return !isFinished }
    let isOlder = (createdAt, id) < (other.createdAt, other.id)
    return isFinished ? (other.createdAt, other.id) < (createdAt, id) : isOlder
  }
}
