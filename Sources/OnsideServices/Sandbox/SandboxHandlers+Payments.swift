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

  /// An account is a regular profile, the same in all apps; external profiles are in none.
  func listAccountPurchases(
    _ request: ListAccountPurchasesRequest, context: ServerContext
  ) async throws -> ListAccountPurchasesResponse {
    let number = try PhoneNumber(checking: request.phoneNumber, field: "phone_number")
    let options = context.storeOptions
    let found = try await stored { () async throws(StoreError) in
      try await store.findProfile(phoneNumber: number, options: options)
    }
    guard let account = found else {
      throw RPCError(.sandboxNotFound, "no account has this phone number; log in with it first")
    }
    let query = BoughtQuery(profileID: account.id, appID: nil, limit: Self.listLimit)
    let bought = try await stored { () async throws(StoreError) in
      try await store.listBought(query, options: options)
    }
    return ListAccountPurchasesResponse(
      purchases: bought.map { transaction in
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
