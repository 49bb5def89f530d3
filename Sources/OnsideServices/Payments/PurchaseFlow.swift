import Logging
import OnsideCatalogue
import OnsideDomain
import OnsideStore
import RPC

/// Takes a purchase from its order to its outcome.
///
/// The order of steps keeps a purchase from being charged twice or lost, whenever the process ends:
/// first everything is checked, then the intent is made durable with the client's idempotency key,
/// then the processor is asked with the transaction's identifier as its key, then the outcome is
/// made durable. Whoever finds an intent without an outcome asks the processor again with the same
/// key.
final class PurchaseFlow: Sendable {
  let store: any Store
  let catalogue: CatalogueHolder
  let processor: any PaymentProcessor
  let clock: ServiceClock
  private let log: Logger
  private let inFlight = InFlightPurchases()

  init(
    store: any Store, catalogue: CatalogueHolder, processor: any PaymentProcessor,
    clock: ServiceClock, log: Logger
  ) {
    self.store = store
    self.catalogue = catalogue
    self.processor = processor
    self.clock = clock
    self.log = log
  }

  /// Buys, or answers with what the same order gave before.
  ///
  /// - Returns: The transaction, and whether an earlier call made it.
  func purchase(
    _ order: PurchaseOrder, by buyer: Buyer, options: RequestOptions
  ) async throws(RPCError) -> Purchase {
    let intent: PurchaseIntent
    do throws(RPCError) {
      intent = try await self.intent(order, buyer, options)
    } catch {
      // What can't begin now may have begun before the catalogue, the profile or the processor
      // changed: a retry gets the first result.
      guard let earlier = try await find(order, buyer, options) else { throw error }
      return earlier
    }
    let beginning = try await stored { () async throws(StoreError) in
      try await store.beginPurchase(intent, options: options)
    }
    return try await purchase(beginning, order, token: intent.paymentToken)
  }

  /// A transaction, and whether an earlier call made it.
  struct Purchase: Sendable {
    let transaction: TransactionRecord
    let replayed: Bool
  }

  private func find(
    _ order: PurchaseOrder, _ buyer: Buyer, _ options: RequestOptions
  ) async throws(RPCError) -> Purchase? {
    let key = PurchaseKey(
      profileID: buyer.profileID, appID: buyer.appID, idempotencyKey: order.idempotencyKey,
      fingerprint: order.fingerprint)
    let beginning = try await stored { () async throws(StoreError) in
      try await store.findPurchase(key, options: options)
    }
    guard let beginning else { return nil }
    let token = order.payment?.method == .savedCard ? nil : order.payment?.token
    return try await purchase(beginning, order, token: token)
  }

  /// - Parameter token: What the processor charges; nil: only the stored intent knows.
  private func purchase(
    _ beginning: PurchaseBeginning, _ order: PurchaseOrder, token: String?
  ) async throws(RPCError) -> Purchase {
    switch beginning {
    case .new(let transaction):
      let outcome = try await outcome(of: transaction, order, token, isNew: true)
      return Purchase(transaction: outcome, replayed: false)
    case .inProgress(let transaction):
      let outcome = try await outcome(of: transaction, order, token)
      return Purchase(transaction: outcome, replayed: true)
    case .existing(let transaction): return Purchase(transaction: transaction, replayed: true)
    case .conflict: throw Self.keyReused(order)
    case .alreadyOwned(let owned): throw Self.alreadyOwned(owned)
    }
  }

  private func intent(
    _ order: PurchaseOrder, _ buyer: Buyer, _ options: RequestOptions
  ) async throws(RPCError) -> PurchaseIntent {
    let admission = try order.admit(
      buyer, catalogue: catalogue.snapshot, processor: processor)
    let product = admission.product
    let charge = try await charge(for: admission.payment, of: buyer, options)
    let now = clock.wall()
    return PurchaseIntent(
      transactionID: .timeOrdered(at: now), profileID: buyer.profileID, appID: buyer.appID,
      idempotencyKey: order.idempotencyKey, fingerprint: order.fingerprint,
      productIdentifier: order.productIdentifier, productKind: product.kind,
      isExclusive: product.kind == .nonConsumable, price: product.price,
      storefront: admission.storefront, appAccountToken: order.appAccountToken,
      payment: charge.payment, paymentToken: charge.token, createdAt: now)
  }

  /// Finds out the outcome of a purchase whose intent is stored. The order is the one it was begun
  /// with: the fingerprints are equal.
  private func outcome(
    of transaction: TransactionRecord, _ order: PurchaseOrder, _ token: String?,
    isNew: Bool = false
  ) async throws(RPCError) -> TransactionRecord {
    guard let token else { return try await outcome(ofStored: transaction) }
    let request = PaymentRequest(
      key: transaction.id.description, method: order.payment?.method ?? .card, token: token,
      amount: transaction.price)
    return try await resolve(transaction, request, isNew: isNew).get()
  }

  /// Asks the processor and records what it says, unless that is under way already.
  ///
  /// - Parameter isNew: nobody else knows of the transaction yet. Of others the outcome may have
  ///   been found out since the caller looked: then nobody is asked.
  func resolve(
    _ transaction: TransactionRecord, _ request: PaymentRequest, isNew: Bool = false
  ) async -> Result<TransactionRecord, RPCError> {
    await inFlight.outcome(of: transaction.id) { [self] in
      do throws(RPCError) {
        if !isNew, try await storedIntent(of: transaction) == nil {
          return .success(try await storedRecord(of: transaction))
        }
        return .success(try await charge(transaction, request))
      } catch {
        return .failure(error)
      }
    }
  }

  private func charge(
    _ transaction: TransactionRecord, _ request: PaymentRequest
  ) async throws(RPCError) -> TransactionRecord {
    let outcome: PaymentOutcome
    do throws(ProcessorError) {
      outcome = try await processor.authorize(request)
    } catch {
      log.log(
        .warning, "the payment processor gave no outcome", ["cause": .string(error.message)],
        key: "processor", every: .seconds(10))
      throw RPCError(
        .processorUnavailable,
        "the payment processor didn't answer, so the outcome isn't known yet; ask again with the "
          + "same idempotency key",
        ["transaction_id": transaction.id.description], cause: error)
    }
    return try await record(outcome, transaction)
  }

  private func record(
    _ outcome: PaymentOutcome, _ transaction: TransactionRecord
  ) async throws(RPCError) -> TransactionRecord {
    // Without a deadline: the payment was decided, whoever still waits for it.
    let recording = try await stored { () async throws(StoreError) in
      try await store.recordOutcome(
        outcome, of: transaction.id, profileID: transaction.profileID, at: clock.wall())
    }
    switch recording {
    case .recorded(let transaction), .unchanged(let transaction): return transaction
    case .refused(let transaction):
      log.error(
        "the payment processor contradicts a final state, which stays",
        [
          "transaction": .describing(transaction.id), "outcome": .describing(outcome),
          "state": .describing(transaction.lifecycle.state),
        ])
      return transaction
    case .notFound:
      throw RPCError(
        .internal, RPCError.internalErrorText,
        cause: StoreError(
          .requestFailed, "the intent of transaction \(transaction.id) is gone from the store"))
    }
  }
}
