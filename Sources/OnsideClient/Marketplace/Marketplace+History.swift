import OnsideDomain
import Synchronization

/// What the user bought, also what is finished.
extension Marketplace {
  /// All of the user's transactions, as the service knows them: the unfinished first, oldest first
  /// among them; then the finished, newest first.
  ///
  /// - Throws: `notSignedIn`: nobody is asked to sign in for this.
  public func history() async throws(OnsideError) -> [TransactionRecord] {
    try await asUser("the history") { () throws(OnsideError) in
      try await backend.allTransactions()
    }
  }

  /// A receipt of a purchased transaction, for people.
  ///
  /// - Throws: `notSignedIn`; `refused` with `transactionNotFound` or `transactionNotFinal`;
  ///   `notSupportedInLocalTesting`.
  public func receipt(transactionID: String) async throws(OnsideError) -> ReceiptRecord {
    try await asUser("a receipt") { () throws(OnsideError) in
      try await backend.receipt(transactionID: transactionID)
    }
  }

  private func asUser<Value>(
    _ what: String, _ body: () async throws(OnsideError) -> Value
  ) async throws(OnsideError) -> Value {
    await started.value
    let (isSignedIn, run) = state.withLock { ($0.profile != nil, $0.run) }
    guard isSignedIn else {
      throw OnsideError(.notSignedIn, "\(what) is a user's; log in first")
    }
    do throws(OnsideError) {
      return try await body()
    } catch {
      note(error, in: run)
      throw error
    }
  }
}
