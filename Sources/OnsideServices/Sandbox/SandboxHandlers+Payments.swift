import OnsideDomain
import OnsideProto
import OnsideStore
import RPC

extension SandboxHandlers {
  /// The most purchases that a list has.
  private static let listLimit = 1_000

  func listDeferredPurchases(
    _ request: ListDeferredPurchasesRequest, context: ServerContext
  ) async throws -> ListDeferredPurchasesResponse {
    let waiting = try await stored { () async throws(StoreError) in
      try await store.deferredPurchases(
        appID: request.appID.isEmpty ? nil : request.appID, limit: Self.listLimit,
        options: context.storeOptions)
    }
    return ListDeferredPurchasesResponse(
      purchases: waiting.map { transaction in
        DeferredPurchase(
          appID: transaction.appID, profileID: transaction.profileID.description,
          transaction: transaction.message)
      })
  }

  func decideDeferredPurchase(
    _ request: DecideDeferredPurchaseRequest, context: ServerContext
  ) async throws -> DecideDeferredPurchaseResponse {
    guard let id = TransactionID(request.transactionID) else { throw Self.nothingWaits(request) }
    let found = try await stored { () async throws(StoreError) in
      try await store.findDeferredPurchase(id, options: context.storeOptions)
    }
    guard let found else { throw Self.nothingWaits(request) }
    let recording = try await stored { () async throws(StoreError) in
      try await store.recordOutcome(
        request.approve ? .paid : .failed(.declined), of: id, profileID: found.profileID,
        at: clock.wall(), options: context.storeOptions)
    }
    switch recording {
    case .recorded(let transaction), .unchanged(let transaction):
      return DecideDeferredPurchaseResponse(transaction: transaction.message)
    case .refused(let transaction):
      throw RPCError(
        .sandboxNotFound,
        "the purchase \(id) was decided otherwise before: it is \(transaction.lifecycle.state)",
        [
          "transaction_id": id.description,
          "state": String(describing: transaction.lifecycle.state),
        ])
    case .notFound: throw Self.nothingWaits(request)
    }
  }

  /// The purchases of profiles of one account, in all apps, newest first.
  func accountPurchases(
    of profileIDs: [ProfileID], options: RequestOptions
  ) async throws(RPCError) -> ListAccountPurchasesResponse {
    var bought: [TransactionRecord] = []
    for profileID in profileIDs {
      let query = BoughtQuery(profileID: profileID, appID: nil, limit: Self.listLimit)
      bought += try await stored { () async throws(StoreError) in
        try await store.listBought(query, options: options)
      }
    }
    bought.sort { ($1.createdAt, $1.id) < ($0.createdAt, $0.id) }
    return ListAccountPurchasesResponse(
      purchases: bought.prefix(Self.listLimit).map { transaction in
        AccountPurchase(appID: transaction.appID, transaction: transaction.message)
      })
  }

  private static func nothingWaits(_ request: DecideDeferredPurchaseRequest) -> RPCError {
    RPCError(
      .sandboxNotFound,
      "no purchase \(Escaping.quoted(request.transactionID)) waits for approval; "
        + "ListDeferredPurchases answers which do")
  }
}
