import OnsideDomain
import OnsideProto
import OnsideStore
import RPC

/// The payments service. Every call but that for the key set needs a session, which says whose
/// purchases it is about.
struct PaymentsHandlers: PaymentsService {
  let flow: PurchaseFlow
  let watches: Watches
  let history: HistorySigner

  func createPurchase(
    _ request: CreatePurchaseRequest, context: ServerContext
  ) async throws -> CreatePurchaseResponse {
    let session = try context.session
    let order = try PurchaseOrder(request)
    let purchase = try await flow.purchase(
      order, by: session.buyer, options: context.storeOptions)
    return CreatePurchaseResponse(
      transaction: purchase.transaction.message, replayed: purchase.replayed)
  }

  func finishTransaction(
    _ request: FinishTransactionRequest, context: ServerContext
  ) async throws -> FinishTransactionResponse {
    let session = try context.session
    guard let id = TransactionID(request.transactionID) else {
      throw Self.notFound(request.transactionID)
    }
    let result = try await stored { () async throws(StoreError) in
      try await flow.store.finishTransaction(
        id, profileID: session.profileID, appID: session.appID, at: flow.clock.wall(),
        options: context.storeOptions)
    }
    switch result {
    case .finished(let transaction):
      return FinishTransactionResponse(transaction: transaction.message)
    case .notFinal(let transaction):
      throw RPCError(
        .transactionNotFinal,
        "transaction \(id) is \(transaction.lifecycle.state); it can be finished once it is "
          + "purchased or failed",
        [
          "transaction_id": id.description,
          "state": String(describing: transaction.lifecycle.state),
        ])
    // Somebody else's transaction and one that never was are told apart by nothing.
    case .notFound: throw Self.notFound(request.transactionID)
    }
  }

  func listTransactions(
    _ request: ListTransactionsRequest, context: ServerContext
  ) async throws -> ListTransactionsResponse {
    let session = try context.session
    var query = TransactionQuery(
      profileID: session.profileID, appID: session.appID, limit: try Self.limit(request.pageSize),
      unfinishedOnly: request.unfinishedOnly)
    if !request.pageToken.isEmpty {
      guard let cursor = TransactionCursor(text: request.pageToken, for: query) else {
        throw RPCError(
          .pageTokenInvalid,
          "the page token isn't one of this list; send the last answer's next_page_token "
            + "unchanged, with the same unfinished_only, or none to start anew")
      }
      query = TransactionQuery(
        profileID: query.profileID, appID: query.appID, limit: query.limit, after: cursor,
        unfinishedOnly: query.unfinishedOnly)
    }
    let page = try await stored { [query] () async throws(StoreError) in
      try await flow.store.listTransactions(query, options: context.storeOptions)
    }
    return ListTransactionsResponse(
      transactions: page.transactions.map(\.message),
      nextPageToken: page.next?.text(for: query) ?? "")
  }

  private static let defaultPageSize: Int32 = 100

  static func limit(_ pageSize: Int32) throws(RPCError) -> Int {
    if pageSize == 0 { return Int(defaultPageSize) }
    guard (1...Int32(TransactionQuery.maximumLimit)).contains(pageSize) else {
      throw RPCError(
        .invalidArgument,
        "page_size is \(pageSize); send 1 to \(TransactionQuery.maximumLimit), or 0 for "
          + "\(defaultPageSize)")
    }
    return Int(pageSize)
  }

  static func notFound(_ transactionID: String) -> RPCError {
    RPCError(
      .transactionNotFound,
      "this profile has no transaction \(Escaping.quoted(transactionID)); "
        + "ListTransactions answers which it has")
  }
}
