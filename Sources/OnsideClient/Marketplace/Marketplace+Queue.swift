#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
import OnsideDomain
import Synchronization

extension Marketplace {
  /// Puts a payment into the queue, after a login if it needs one.
  ///
  /// What becomes of it comes to observers. It is carried out while there is one.
  ///
  /// - Throws: before anything is in the queue: `loginDiscarded`, `superseded`; for an external
  ///   profile, `notSupportedForExternalLogin` for anything but a consumable, and
  ///   `applePayRequired` where Apple Pay isn't available.
  @discardableResult
  public func add(_ payment: Payment) async throws(OnsideError) -> PaymentTransaction {
    let user = try await signedIn()
    try await check(payment, for: user.profile)
    let transaction = update(in: user.run) { state in
      state.queue.enqueue(payment, in: payment.product.storefront)
    }
    guard let transaction else { throw Self.loggedOut }
    // What can't be kept fails when it is about to be sent.
    _ = await saved()
    return transaction
  }

  /// The rules follow the authenticated profile.
  private func check(
    _ payment: Payment, for profile: ProfileRecord
  ) async throws(OnsideError) {
    let method: PaymentMethodKind = await presenter.isApplePayAvailable ? .applePay : .card
    switch EligibilityRules.refusal(
      of: payment.product.kind, for: profile.kind, paidWith: method)
    {
    case nil: return
    case .notSupportedForExternalLogin:
      throw OnsideError(
        .notSupportedForExternalLogin,
        "an external profile buys consumables only, and \(payment.product.identifier) isn't one",
        reason: .notSupportedForExternalLogin)
    case .some(let reason):
      throw OnsideError(
        .applePayRequired,
        "an external profile pays through Apple Pay, which isn't available here", reason: reason)
    }
  }

  /// Marks a transaction as delivered: it leaves the queue, and the service is told.
  ///
  /// - Throws: `unknownTransaction` if the queue doesn't have it, also if it was finished before;
  ///   `refused` with `transactionNotFinal` while it is purchasing.
  public func finish(_ id: UUID) throws(OnsideError) {
    let result = update { state in
      Result { () throws(OnsideError) in try state.queue.finish(id) }
    }
    _ = try result.get()
  }

  /// Asks for what the user owns, after a login if it needs one. It comes to observers as
  /// transactions in the state restored, then `restoreFinished` or `restoreFailed`; one of them
  /// always comes.
  ///
  /// - Throws: `loginDiscarded`, `superseded`; nothing is restored then.
  public func restoreCompletedTransactions() async throws(OnsideError) {
    let user = try await signedIn()
    guard update(in: user.run, { $0.queue.wantRestore() }) != nil else { throw Self.loggedOut }
  }

  // MARK: Working

  /// Starts what can be started.
  func startWork() {
    let (run, next, restores, finishing) = state.withLock { state in
      guard state.profile != nil, !state.isClosed else {
        return (state.run, UUID?.none, false, [QueueEntry]())
      }
      let finishing = state.queue.finishing.filter {
        state.finishing.insert($0.transaction.id).inserted
      }
      return (
        state.run, state.queue.startNext()?.transaction.id, state.queue.startRestore(), finishing
      )
    }
    if let next { spawn(in: run) { await $0.execute(next, in: run) } }
    if restores { spawn(in: run) { await $0.restore(in: run) } }
    for entry in finishing { spawn(in: run) { await $0.tellFinished(entry, in: run) } }
  }

  /// Tells the service what the app has finished, until it knows.
  private func tellFinished(_ entry: QueueEntry, in run: UInt64) async {
    let id = entry.transaction.id
    guard let transactionID = entry.transaction.transactionID else { return }
    var attempt = 0
    while isCurrent(run) {
      do throws(OnsideError) {
        try await backend.finish(transactionID: transactionID)
        break
      } catch {
        note(error, in: run)
        // It is gone from the service, or was never to be finished: nothing is left to tell.
        if error.code == .refused { break }
        guard await pauseAfter(attempt, in: run) else { return }
        attempt += 1
      }
    }
    update(in: run) { state in
      state.finishing.remove(id)
      state.queue.finished(id)
    }
  }

  private func restore(in run: UInt64) async {
    var problem: OnsideError?
    do throws(OnsideError) {
      let records = try await backend.purchases()
      let products = await products(of: records, in: run)
      update(in: run) { state in
        for (record, product) in zip(records, products) {
          state.queue.adopt(record, product, restored: true)
        }
      }
    } catch {
      problem = error
    }
    update(in: run) { $0.queue.endRestore(problem) }
    if let problem { note(problem, in: run) }
  }
}
