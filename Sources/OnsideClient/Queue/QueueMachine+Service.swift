#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import OnsideDomain

/// What the service says about transactions.
extension QueueMachine {
  /// What became of a purchase that was sent.
  ///
  /// - Returns: the transaction if it has just been purchased.
  mutating func settle(_ id: UUID, _ record: TransactionRecord) -> PaymentTransaction? {
    return update(id, record)
  }

  /// The profile owns already what was asked for: that purchase is delivered, and nothing charged.
  mutating func giveBack(_ id: UUID, _ owned: TransactionRecord) {
    change(id) { entry in
      entry.step = .settled
      entry.transaction.state = .restored
      entry.transaction.transactionID = owned.id
      entry.transaction.originalTransactionID = owned.originalID
      entry.transaction.storefront = owned.storefront
    }
  }

  /// What became of something that is known to the queue; nil: it isn't known.
  ///
  /// - Returns: for a known one, the transaction if it has just been purchased.
  mutating func take(_ record: TransactionRecord) -> Taken {
    if finishedIDs.contains(record.id) { return .known(nil) }
    if let known = entries.first(where: { $0.transaction.transactionID == record.id }) {
      if record.isFinished {
        finishedElsewhere(known)
        return .known(nil)
      }
      return .known(update(known.transaction.id, record))
    }
    if record.isFinished { return .known(nil) }
    if mayBeUnderWay(record) {
      held.removeAll { $0.id == record.id }
      held.append(record)
      return .held
    }
    return .unknown
  }

  /// What `take` made of news.
  enum Taken: Equatable {
    case known(PaymentTransaction?)

    /// It may be of the purchase that is under way; taken again after that.
    case held

    /// Another device's; adopt it with its product.
    case unknown
  }

  /// Gives back the news that was held, to be taken again.
  mutating func takeHeld() -> [TransactionRecord] {
    defer { held = [] }
    return held
  }

  /// A purchase of another device, or of an earlier run, goes into the queue.
  mutating func adopt(
    _ record: TransactionRecord, _ product: ProductRecord, restored: Bool = false
  ) {
    if finishedIDs.contains(record.id) && !restored { return }
    // What the app has finished, and the service doesn't know yet, may be restored already.
    let known = entries.first {
      $0.transaction.transactionID == record.id && ($0.isVisible || !restored)
    }
    if let known {
      if !restored { _ = update(known.transaction.id, record) }
      return
    }
    var transaction = PaymentTransaction(
      payment: Payment(product, appAccountToken: record.appAccountToken),
      storefront: record.storefront, transactionID: record.id,
      originalTransactionID: record.originalID)
    if restored { transaction.state = .restored }
    var entry = QueueEntry(transaction: transaction, step: restored ? .settled : .waiting)
    if !restored { _ = entry.apply(record) }
    entries.append(entry)
    changed(entry.transaction)
  }

  /// Whether a record could be the outcome of what is being sent.
  private func mayBeUnderWay(_ record: TransactionRecord) -> Bool {
    entries.contains { entry in
      guard case .sending = entry.step else { return false }
      return entry.transaction.payment.product.identifier == record.productIdentifier
        && entry.transaction.payment.appAccountToken == record.appAccountToken
    }
  }

  private mutating func update(_ id: UUID, _ record: TransactionRecord) -> PaymentTransaction? {
    var hasBought = false
    change(id) { hasBought = $0.apply(record) }
    return hasBought ? entry(id)?.transaction : nil
  }

  private mutating func finishedElsewhere(_ entry: QueueEntry) {
    entries.removeAll { $0.transaction.id == entry.transaction.id }
    revision += 1
    if entry.isVisible { tell(.removed([entry.transaction])) }
  }
}

extension QueueEntry {
  /// Takes over what the service says; a final state stays.
  ///
  /// - Returns: whether it has just been purchased.
  mutating func apply(_ record: TransactionRecord) -> Bool {
    guard step != .settled, step != .finishing,
      record.updatedAtMilliseconds >= changedAtMilliseconds
    else { return false }
    changedAtMilliseconds = record.updatedAtMilliseconds
    transaction.transactionID = record.id
    transaction.originalTransactionID = record.originalID
    transaction.storefront = record.storefront
    transaction.isDeferred = record.state == .deferred
    switch record.state {
    case .purchasing, .deferred:
      step = .waiting
      return false
    case .purchased:
      transaction.state = .purchased
    case .failed:
      transaction.state = .failed
      transaction.failure = PaymentTransaction.Failure(record.failureReason)
    }
    step = .settled
    return record.state == .purchased
  }
}
