import OnsideDomain
import OnsideProto
import RPC

extension OnsideClient {
  /// Buys a product once.
  ///
  /// While the service can't be reached the purchase is sent again, with the same idempotency key:
  /// it is charged once, however often it arrives. A declined or cancelled payment is not an error
  /// but a transaction in the state failed.
  ///
  /// - Throws: `refused` with the reason, before anything was charged; `unavailable` or
  ///   `deadlineExceeded` when the outcome isn't known: ask again with the same request.
  public func purchase(
    _ request: PurchaseRequest
  ) async throws(OnsideError) -> TransactionRecord {
    let message = request.message
    var attempt = 1
    while true {
      do throws(OnsideError) {
        let response = try await asUser { [payments] options throws(RPCError) in
          try await payments.createPurchase(message, options: options)
        }
        return try TransactionRecord(response.transaction)
      } catch {
        guard error.code == .unavailable, attempt < configuration.purchaseAttempts else {
          throw error
        }
      }
      do {
        try await Task.sleep(for: Self.backOff(attempt))
      } catch {
        throw OnsideError(.cancelled, "the caller's task was cancelled")
      }
      attempt += 1
    }
  }

  /// Marks a transaction as delivered: the service doesn't list it as unfinished any more. A second
  /// call does nothing.
  ///
  /// - Throws: `refused` for a transaction that the user doesn't have, or that is not final yet.
  @discardableResult
  public func finish(transactionID: String) async throws(OnsideError) -> TransactionRecord {
    let response = try await asUser { [payments] options throws(RPCError) in
      try await payments.finishTransaction(
        FinishTransactionRequest(transactionID: transactionID), options: options)
    }
    return try TransactionRecord(response.transaction)
  }

  /// The user's transactions: the unfinished first, oldest first among them; then the finished,
  /// newest first.
  ///
  /// - Parameters:
  ///   - unfinishedOnly: leaves the finished out.
  ///   - limit: the most transactions to load; nil: all.
  public func transactions(
    unfinishedOnly: Bool = false, limit: Int? = nil
  ) async throws(OnsideError) -> [TransactionRecord] {
    var records: [TransactionRecord] = []
    var page = ListTransactionsRequest(unfinishedOnly: unfinishedOnly)
    repeat {
      let rest = limit.map { $0 - records.count } ?? Int.max
      guard rest > 0 else { break }
      page.pageSize = Int32(min(rest, 500))
      let request = page
      let response = try await asUser { [payments] options throws(RPCError) in
        try await payments.listTransactions(request, options: options)
      }
      for transaction in response.transactions {
        records.append(try TransactionRecord(transaction))
      }
      page.pageToken = response.nextPageToken
    } while !page.pageToken.isEmpty
    return records
  }

  /// 100 ms, doubled with each attempt up to 2 s, of which a random half is left out, so that many
  /// clients don't come back together.
  private static func backOff(_ attempt: Int) -> Duration {
    let longest = min(2_000, 100 << min(attempt - 1, 5))
    return .milliseconds(Int.random(in: longest / 2...longest))
  }
}
