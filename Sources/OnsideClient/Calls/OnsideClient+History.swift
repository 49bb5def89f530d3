import OnsideProto
import RPC

extension OnsideClient {
  /// What the user owns for good: purchased non-consumables and subscriptions, oldest first.
  public func purchases() async throws(OnsideError) -> [TransactionRecord] {
    var records: [TransactionRecord] = []
    var page = ListPurchasesRequest(pageSize: 500)
    repeat {
      let request = page
      let response = try await asUser { [payments] options throws(RPCError) in
        try await payments.listPurchases(request, options: options)
      }
      for transaction in response.transactions {
        records.append(try TransactionRecord(transaction))
      }
      page.pageToken = response.nextPageToken
    } while !page.pageToken.isEmpty
    return records
  }

  /// A receipt of a purchased transaction, for people.
  ///
  /// - Throws: `refused` with `transactionNotFound` or `transactionNotFinal`.
  public func receipt(transactionID: String) async throws(OnsideError) -> ReceiptRecord {
    let response = try await asUser { [payments] options throws(RPCError) in
      try await payments.getReceipt(
        GetReceiptRequest(transactionID: transactionID), options: options)
    }
    return try ReceiptRecord(response.receipt)
  }

  /// The user's purchases in this app as a compact JWS, for the app's own backend.
  ///
  /// - Throws: `notSignedIn`.
  public func signedHistory() async throws(OnsideError) -> String {
    try await asUser { [payments] options throws(RPCError) in
      try await payments.getSignedHistory(GetSignedHistoryRequest(), options: options)
    }.jws
  }

  /// The keys that signed histories are checked with, as JSON: a JWK Set (RFC 7517).
  public func keySet() async throws(OnsideError) -> String {
    let options = try options(session: nil)
    do throws(RPCError) {
      return try await payments.getKeySet(GetKeySetRequest(), options: options).jwkSet
    } catch {
      throw OnsideError(error)
    }
  }
}
