import OnsideCatalogue
import OnsideDomain
import OnsideProto
import OnsideStore
import RPC

extension PaymentsHandlers {
  func listPurchases(
    _ request: ListPurchasesRequest, context: ServerContext
  ) async throws -> ListPurchasesResponse {
    let session = try context.session
    let limit = try Self.limit(request.pageSize)
    var query = OwnedQuery(profileID: session.profileID, appID: session.appID, limit: limit)
    if !request.pageToken.isEmpty {
      guard let cursor = TransactionCursor(text: request.pageToken, for: query) else {
        throw RPCError(
          .pageTokenInvalid,
          "the page token isn't one of this list; send the last answer's next_page_token "
            + "unchanged, or none to start anew")
      }
      query = OwnedQuery(
        profileID: query.profileID, appID: query.appID, limit: limit, after: cursor)
    }
    let page = try await stored { [query] () async throws(StoreError) in
      try await flow.store.listOwned(query, options: context.storeOptions)
    }
    return ListPurchasesResponse(
      transactions: page.transactions.map(\.message),
      nextPageToken: page.next?.text(for: query) ?? "")
  }

  func getReceipt(
    _ request: GetReceiptRequest, context: ServerContext
  ) async throws -> GetReceiptResponse {
    let session = try context.session
    guard let id = TransactionID(request.transactionID) else {
      throw Self.notFound(request.transactionID)
    }
    let found = try await stored { () async throws(StoreError) in
      try await flow.store.findTransaction(
        id, profileID: session.profileID, appID: session.appID, options: context.storeOptions)
    }
    guard let transaction = found else { throw Self.notFound(request.transactionID) }
    guard transaction.lifecycle.state == .purchased else {
      throw RPCError(
        .transactionNotFinal,
        "transaction \(id) is \(transaction.lifecycle.state); there are receipts of purchased ones",
        ["transaction_id": id.description, "state": "\(transaction.lifecycle.state)"])
    }
    return GetReceiptResponse(
      receipt: Receipt(
        number: id.description, appName: session.app.name,
        productTitle: product(of: transaction)?.title ?? transaction.productIdentifier,
        transaction: transaction.message, paymentMethod: transaction.payment.description))
  }

  /// A transaction's product as the catalogue has it now; nil: it isn't sold there any more.
  func product(of transaction: TransactionRecord) -> CatalogueProduct? {
    let catalogue = flow.catalogue.snapshot
    let place = SalesPlace(
      catalogue, appID: transaction.appID, storefront: transaction.storefront)
    return catalogue.product(transaction.productIdentifier, at: place)
  }
}
