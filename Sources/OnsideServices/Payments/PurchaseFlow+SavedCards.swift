import OnsideDomain
import OnsideStore
import RPC

extension PurchaseFlow {
  /// What the processor is to charge, and what is kept of it.
  struct Charge: Sendable {
    let payment: PaymentDescription
    let token: String
  }

  /// What an order's payment stands for: a saved card for the processor's token of it.
  func charge(
    for payment: PurchaseOrder.Payment, of buyer: Buyer, _ options: RequestOptions
  ) async throws(RPCError) -> Charge {
    guard payment.method == .savedCard else {
      return Charge(payment: PaymentDescription(method: payment.method), token: payment.token)
    }
    guard let id = CardID(payment.token) else { throw RPCError(noCard: payment.token) }
    let cards = try await stored { () async throws(StoreError) in
      try await store.cards(of: buyer.profileID, options: options)
    }
    guard let card = cards.first(where: { $0.id == id }) else {
      throw RPCError(noCard: payment.token)
    }
    return Charge(
      payment: PaymentDescription(method: .savedCard, card: card.label), token: card.token)
  }

  /// The outcome of a purchase by a card that was removed meanwhile: the stored intent has its
  /// token.
  func outcome(ofStored transaction: TransactionRecord) async throws(RPCError) -> TransactionRecord
  {
    guard let intent = try await storedIntent(of: transaction) else {
      return try await storedRecord(of: transaction)
    }
    return try await resolve(transaction, PaymentRequest(intent)).get()
  }

  /// What was stored before the processor was asked; nil: the outcome is known.
  func storedIntent(
    of transaction: TransactionRecord
  ) async throws(RPCError) -> PurchaseIntent? {
    try await stored { () async throws(StoreError) in try await store.intent(of: transaction) }
  }

  /// A transaction as it is now.
  func storedRecord(
    of transaction: TransactionRecord
  ) async throws(RPCError) -> TransactionRecord {
    let found = try await stored { () async throws(StoreError) in
      try await store.findTransaction(
        transaction.id, profileID: transaction.profileID, appID: transaction.appID)
    }
    return found ?? transaction
  }
}

extension PaymentRequest {
  /// Asks for the payment of a stored intent.
  init(_ intent: PurchaseIntent) {
    self.init(
      key: intent.transactionID.description, method: intent.payment.method,
      token: intent.paymentToken, amount: intent.price)
  }
}
