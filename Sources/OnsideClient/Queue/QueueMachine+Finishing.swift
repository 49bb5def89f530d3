#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import OnsideDomain

/// Deliveries, and what was bought before.
extension QueueMachine {
  /// The app has delivered.
  ///
  /// - Returns: true if the service has to be told.
  mutating func finish(_ id: UUID) throws(OnsideError) -> Bool {
    guard let entry = entry(id), entry.isVisible else {
      throw OnsideError(
        .unknownTransaction, "the queue has no transaction \(id); it was finished already")
    }
    guard entry.transaction.isFinal else {
      throw OnsideError(
        .refused, "transaction \(id) isn't final yet; finish it when it is",
        reason: .transactionNotFinal)
    }
    if entry.transaction.transactionID == nil {
      entries.removeAll { $0.transaction.id == id }
    } else {
      change(id, tells: false) { $0.step = .finishing }
    }
    revision += 1
    tell(.removed([entry.transaction]))
    return entry.transaction.transactionID != nil
  }

  /// What the service has to be told is finished.
  var finishing: [QueueEntry] { entries.filter { $0.step == .finishing } }

  /// The service knows.
  mutating func finished(_ id: UUID) {
    guard let entry = entry(id), entry.step == .finishing else { return }
    if let transactionID = entry.transaction.transactionID { finishedIDs.insert(transactionID) }
    entries.removeAll { $0.transaction.id == id }
    revision += 1
  }

  // MARK: Restoring

  mutating func wantRestore() { restoresWanted += 1 }

  /// Whether a restore starts now.
  mutating func startRestore() -> Bool {
    guard isObserved, !isRestoring, restoresWanted > 0 else { return false }
    isRestoring = true
    return true
  }

  mutating func endRestore(_ error: OnsideError?) {
    guard isRestoring else { return }
    isRestoring = false
    restoresWanted -= 1
    tell(error.map(MarketplaceEvent.restoreFailed) ?? .restoreFinished)
  }
}
