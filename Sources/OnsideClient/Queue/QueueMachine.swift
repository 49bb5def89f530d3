#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import OnsideDomain

/// The payments of one user, from the wish to the delivery.
///
/// Pure: what happens goes in, and what observers have to be told is collected in `notices`. It is
/// idle until it has an observer. Nothing is finished but by the app.
struct QueueMachine {
  /// Something to tell observers.
  struct Notice: Equatable {
    /// Nil: all of them.
    var observer: UInt64?
    var event: MarketplaceEvent
  }

  /// In the order in which they came.
  var entries: [QueueEntry] = []

  /// To be told, in this order; the owner takes them.
  var notices: [Notice] = []

  /// Grows with each change of what has to be on disk.
  var revision: UInt64

  init(revision: UInt64 = 0) {
    self.revision = revision
  }

  /// News about purchases that may be one's own that is under way.
  var held: [TransactionRecord] = []

  private(set) var observers: Set<UInt64> = []
  private(set) var executing: UUID?
  var isRestoring = false
  var restoresWanted = 0

  /// Finished in this session: late news about them is dropped.
  var finishedIDs: Set<String> = []

  /// What the app sees.
  var transactions: [PaymentTransaction] {
    entries.filter(\.isVisible).map(\.transaction)
  }

  var isObserved: Bool { !observers.isEmpty }

  // MARK: Users and observers

  /// A user came, with what is on disk.
  mutating func signIn(_ kept: [QueueEntry]) {
    entries = kept
    tell(.updated(transactions))
  }

  /// The user left. What is on disk stays there.
  mutating func signOut() {
    entries = []
    held = []
    finishedIDs = []
    executing = nil
    for _ in 0..<restoresWanted {
      tell(
        .restoreFailed(OnsideError(.superseded, "the user changed before the restore was through")))
    }
    restoresWanted = 0
    isRestoring = false
  }

  /// An observer came: it gets everything that is unfinished, once.
  mutating func observe(_ observer: UInt64) {
    guard observers.insert(observer).inserted else { return }
    let present = transactions
    guard !present.isEmpty else { return }
    notices.append(Notice(observer: observer, event: .updated(present)))
  }

  mutating func stopObserving(_ observer: UInt64) {
    observers.remove(observer)
  }

  // MARK: Payments

  /// A payment that was let through goes to the end of the queue.
  mutating func enqueue(_ payment: Payment, in storefront: Storefront) -> PaymentTransaction {
    let transaction = PaymentTransaction(payment: payment, storefront: storefront)
    entries.append(QueueEntry(transaction: transaction))
    changed(transaction)
    return transaction
  }

  /// The payment that is carried out now; nil: there is none, or one is under way, or nobody
  /// observes. Purchases that may have been sent come first.
  mutating func startNext() -> QueueEntry? {
    guard isObserved, executing == nil else { return nil }
    let sent = entries.first { if case .sending = $0.step { true } else { false } }
    guard let next = sent ?? entries.first(where: { $0.step == .queued }) else { return nil }
    executing = next.transaction.id
    return next
  }

  /// The execution is over, or stopped; `startNext` may start the next.
  mutating func stopExecuting(_ id: UUID) {
    guard executing == id else { return }
    executing = nil
  }

  func entry(_ id: UUID) -> QueueEntry? { entries.first { $0.transaction.id == id } }

  /// The user has chosen how to pay; to be on disk before it is sent.
  mutating func choose(_ method: PaymentMethod, for id: UUID) -> QueueEntry? {
    change(id) { $0.step = .sending(method) }
    return entry(id)
  }

  /// The service refused what was sent, before it charged anything: the user is asked again, and
  /// what is sent then comes with another key.
  mutating func tryAnew(_ id: UUID) {
    change(id) { entry in
      guard case .sending = entry.step else { return }
      entry.step = .queued
      entry.round += 1
    }
  }

  /// The purchase goes on with the product as another storefront sells it, or at another price.
  mutating func move(_ id: UUID, to product: ProductRecord) {
    change(id) { entry in
      entry.transaction.payment.product = product
      entry.transaction.storefront = product.storefront
    }
  }

  mutating func fail(_ id: UUID, _ failure: PaymentTransaction.Failure) {
    change(id) { entry in
      entry.step = .settled
      entry.transaction.state = .failed
      entry.transaction.failure = failure
    }
  }

  // MARK: Telling

  mutating func tell(_ event: MarketplaceEvent) {
    if case .updated(let transactions) = event, transactions.isEmpty { return }
    notices.append(Notice(observer: nil, event: event))
  }

  mutating func changed(_ transaction: PaymentTransaction) {
    revision += 1
    tell(.updated([transaction]))
  }

  mutating func change(
    _ id: UUID, tells: Bool = true, _ body: (inout QueueEntry) -> Void
  ) {
    guard let place = entries.firstIndex(where: { $0.transaction.id == id }) else { return }
    let before = entries[place]
    body(&entries[place])
    if entries[place] != before { revision += 1 }
    guard tells, entries[place].isVisible, entries[place].transaction != before.transaction else {
      return
    }
    tell(.updated([entries[place].transaction]))
  }
}
