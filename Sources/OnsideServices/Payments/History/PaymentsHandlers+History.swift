import OnsideDomain
import OnsideProto
import OnsideStore
import RPC

extension PaymentsHandlers {
  /// The most purchases that a signed history has: the newest.
  static let historyLimit = 1_000

  func getSignedHistory(
    _ request: GetSignedHistoryRequest, context: ServerContext
  ) async throws -> GetSignedHistoryResponse {
    let session = try context.session
    let query = BoughtQuery(
      profileID: session.profileID, appID: session.appID, limit: Self.historyLimit)
    let bought = try await stored { () async throws(StoreError) in
      try await flow.store.listBought(query, options: context.storeOptions)
    }
    let document = HistoryDocument(
      purchases: bought.reversed().map { .init(transaction: $0, product: product(of: $0)) },
      appID: session.appID, issuer: history.issuer, now: flow.clock.wall())
    guard let jws = history.sign(document) else {
      throw RPCError(
        .internal, RPCError.internalErrorText,
        cause: StoreError(.requestFailed, "OpenSSL can't sign a history"))
    }
    return GetSignedHistoryResponse(jws: jws)
  }

  func getKeySet(
    _ request: GetKeySetRequest, context: ServerContext
  ) async throws -> GetKeySetResponse {
    GetKeySetResponse(jwkSet: history.keySet)
  }
}
