import OnsideKitCore

/// Writes down what it is told, for tests that wait for it.
@MainActor final class RecordingObserver: OnsidePaymentTransactionObserver {
  enum Event {
    case updated(OnsidePaymentTransaction)
    case removed(OnsidePaymentTransaction)
    case restored
    case restoreFailed(OnsideTransactionsRestoreError)
    case storefront(OnsideStorefront?)
  }

  private struct Waiter {
    let isDue: ([Event]) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  private(set) var events: [Event] = []
  private var waiters: [Waiter] = []

  private func note(_ new: [Event]) {
    events += new
    // Each is asked once: what it looks at may change at any moment.
    let present = waiters
    waiters = []
    for waiter in present {
      if waiter.isDue(events) { waiter.continuation.resume() } else { waiters.append(waiter) }
    }
  }

  /// Waits until the events are as wanted.
  func wait(until isDue: @escaping ([Event]) -> Bool) async {
    if isDue(events) { return }
    await withCheckedContinuation { waiters.append(Waiter(isDue: isDue, continuation: $0)) }
  }

  /// The first transaction in one of these states, once it is there.
  func transaction(
    _ states: Set<OnsidePaymentTransactionState>
  ) async -> OnsidePaymentTransaction? {
    func find(_ events: [Event]) -> OnsidePaymentTransaction? {
      for case .updated(let transaction) in events
      where states.contains(transaction.transactionState) { return transaction }
      return nil
    }
    await wait { find($0) != nil }
    return find(events)
  }

  /// The transactions that were taken out, once there is one.
  func removed() async -> [OnsidePaymentTransaction] {
    func find(_ events: [Event]) -> [OnsidePaymentTransaction] {
      events.compactMap { if case .removed(let transaction) = $0 { transaction } else { nil } }
    }
    await wait { !find($0).isEmpty }
    return find(events)
  }

  /// The countries that were announced.
  var storefronts: [String?] {
    events.compactMap { event -> String?? in
      if case .storefront(let place) = event { .some(place?.countryCode) } else { nil }
    }
  }

  func onsidePaymentQueue(
    _ queue: any OnsidePaymentQueue, updatedTransactions: [OnsidePaymentTransaction]
  ) { note(updatedTransactions.map(Event.updated)) }

  func onsidePaymentQueue(
    _ queue: any OnsidePaymentQueue, removedTransactions: [OnsidePaymentTransaction]
  ) { note(removedTransactions.map(Event.removed)) }

  func onsidePaymentQueueRestoreCompletedTransactionsFinished(_ queue: any OnsidePaymentQueue) {
    note([.restored])
  }

  func onsidePaymentQueue(
    _ queue: any OnsidePaymentQueue,
    restoreCompletedTransactionsFailedWithError error: OnsideTransactionsRestoreError
  ) { note([.restoreFailed(error)]) }

  func onsidePaymentQueueDidChangeStorefront(_ queue: any OnsidePaymentQueue) {
    note([.storefront(queue.storefront)])
  }
}
