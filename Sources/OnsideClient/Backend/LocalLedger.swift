import OnsideDomain

/// The purchases of local testing: what the service would keep.
struct LocalLedger {
  /// What happened, to whom.
  struct Change: Sendable {
    let profileID: String
    let record: TransactionRecord
  }

  struct Row {
    let profileID: String

    /// Of the profile: the same key never buys twice.
    let key: String
    var record: TransactionRecord
  }

  private(set) var rows: [Row] = []

  init(rows: [Row] = []) {
    self.rows = rows
  }

  /// Makes a purchase, once for each key.
  mutating func purchase(
    _ request: PurchaseRequest, of profileID: String, outcome: PaymentOutcome, at now: Int64,
    id: String
  ) -> Result<TransactionRecord, OnsideError> {
    let key = request.idempotencyKey
    if let known = rows.first(where: { $0.profileID == profileID && $0.key == key }) {
      return .success(known.record)
    }
    let product = request.product
    if product.kind == .nonConsumable,
      rows.contains(where: {
        $0.profileID == profileID && $0.record.productIdentifier == product.identifier
          && $0.record.state != .failed
      })
    {
      return .failure(
        OnsideError(
          .refused, "the profile has bought \(product.identifier) already", reason: .alreadyOwned))
    }
    let (state, reason): (PurchaseState, FailureReason?) =
      switch outcome {
      case .paid: (.purchased, nil)
      case .needsApproval: (.deferred, nil)
      case .failed(let reason): (.failed, reason)
      }
    let record = TransactionRecord(
      id: id, productIdentifier: product.identifier, productKind: product.kind, state: state,
      price: product.price, storefront: product.storefront,
      appAccountToken: request.appAccountToken, createdAtMilliseconds: now,
      updatedAtMilliseconds: now, failureReason: reason)
    rows.append(Row(profileID: profileID, key: key, record: record))
    return .success(record)
  }

  /// Decides about a purchase that waits for approval.
  mutating func decide(_ id: String, approve: Bool, at now: Int64) -> Change? {
    change(id, at: now) { record in
      guard record.state == .deferred else { return nil }
      return (approve ? .purchased : .failed, record.isFinished)
    }
  }

  mutating func finish(_ id: String, of profileID: String, at now: Int64) -> Change? {
    change(id, at: now) { record in
      guard record.state.isFinal, !record.isFinished else { return nil }
      return (record.state, true)
    }
  }

  private mutating func change(
    _ id: String, at now: Int64, _ body: (TransactionRecord) -> (PurchaseState, Bool)?
  ) -> Change? {
    guard let place = rows.firstIndex(where: { $0.record.id == id }),
      let (state, isFinished) = body(rows[place].record)
    else { return nil }
    let old = rows[place].record
    rows[place].record = TransactionRecord(
      id: old.id, productIdentifier: old.productIdentifier, productKind: old.productKind,
      state: state, price: old.price, storefront: old.storefront,
      appAccountToken: old.appAccountToken, createdAtMilliseconds: old.createdAtMilliseconds,
      updatedAtMilliseconds: now, isFinished: isFinished,
      failureReason: state == .failed ? old.failureReason ?? .declined : nil)
    return Change(profileID: rows[place].profileID, record: rows[place].record)
  }

  func unfinished(of profileID: String) -> [TransactionRecord] {
    rows.filter { $0.profileID == profileID && !$0.record.isFinished }.map(\.record)
  }

  /// Newest first.
  func finished(by profileID: String) -> [TransactionRecord] {
    rows.reversed().filter { $0.profileID == profileID && $0.record.isFinished }.map(\.record)
  }

  /// What a profile owns for good.
  func owned(by profileID: String) -> [TransactionRecord] {
    rows.filter {
      $0.profileID == profileID && $0.record.state == .purchased
        && $0.record.productKind != .consumable
    }.map(\.record)
  }
}
